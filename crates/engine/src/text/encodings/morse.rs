//! International Morse code (ITU-R M.1677-1, section 1.1), with words separated by a slash or a wider blank.

use memchr::memmem;

use super::Decoder;
use super::payload::Payloads;
use crate::span::Span;
use crate::text::Transform;
use crate::text::letter_pairs::is_language;
use crate::text::scan::Source;
use crate::text::view_builder::ViewBuilder;

/// Letters that a message has at least.
const SHORTEST: usize = 6;

/// Letters in the order of the tree that a dot descends to the left and a dash to the right, from index 1 on.
const TREE: &[u8; 64] = b"  ETIANMSURWDKGOHVF L PJBXCYZQ  54 3   2       16       7   8 90";

pub struct Morse;

impl Decoder for Morse {
    fn transform(&self) -> Transform {
        Transform::Morse
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        let bytes = source.text.as_bytes();
        let has_ascii = memmem::find(bytes, b".-").is_some() || memmem::find(bytes, b"-.").is_some();
        if !has_ascii && (source.is_ascii || !source.text.contains(['·', '•', '−', '–'])) {
            return None;
        }
        let mut message = Message::default();
        let mut token = Span::new(0, 0);
        for (at, character) in source.text.char_indices() {
            if character.is_whitespace() || matches!(character, '/' | '|') {
                message.sign(source.text, Span::new(token.start, at));
                token.start = at + character.len_utf8();
                message.gap(character);
            }
        }
        message.sign(source.text, Span::new(token.start, source.text.len()));
        message.end(source.text);
        message.payloads.finish()
    }
}

/// A message that is being read.
#[derive(Default)]
struct Message {
    draft: ViewBuilder,
    /// Bytes of separators since the last letter.
    blanks: usize,
    is_word_end: bool,
    start: usize,
    end: usize,
    payloads: Payloads,
}

impl Message {
    /// Reads one group of dots and dashes; anything else ends the message.
    fn sign(&mut self, text: &str, span: Span) {
        if span.is_empty() {
            return;
        }
        let Some(letter) = letter(span.of(text)) else {
            return self.end(text);
        };
        if self.draft.text.is_empty() {
            self.start = span.start;
        } else if self.is_word_end || self.blanks > 1 {
            self.draft.put_char(' ', Span::new(self.end, span.start));
        }
        self.draft.put_char(letter, span);
        self.end = span.end;
        (self.blanks, self.is_word_end) = (0, false);
    }

    const fn gap(&mut self, separator: char) {
        self.blanks += 1;
        self.is_word_end |= matches!(separator, '/' | '|' | '\n');
    }

    fn end(&mut self, text: &str) {
        let message = std::mem::take(&mut self.draft);
        if is_language(&message.text, SHORTEST) {
            let draft = self.payloads.part(text, Span::new(self.start, self.end));
            let at = draft.text.len();
            draft.map.append(message.map, at);
            draft.text.push_str(&message.text);
        }
        (self.blanks, self.is_word_end) = (0, false);
    }
}

/// The letter of a group of dots and dashes.
fn letter(group: &str) -> Option<char> {
    let mut index = 1;
    for sign in group.chars() {
        let is_dash = match sign {
            '.' | '·' | '•' => 0,
            '-' | '−' | '–' | '—' | '_' => 1,
            _ => return None,
        };
        index = index * 2 + is_dash;
        if index >= TREE.len() {
            return None;
        }
    }
    Some(TREE[index].to_ascii_lowercase() as char).filter(|letter| *letter != ' ')
}
