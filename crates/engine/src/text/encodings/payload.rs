//! Decoded bytes with the location of their symbols, and the check whether they are text.

use crate::span::Span;
use crate::text::letter_pairs::is_language;
use crate::text::view_builder::ViewBuilder;

/// Number of bytes from which printable ASCII is no coincidence: 12 random bytes are printable once in 150,000 times.
const CERTAIN: usize = 12;

/// Decoded bytes.
#[derive(Debug, Default)]
pub struct Decoded {
    bytes: Vec<u8>,
    from: Vec<(u32, u32)>,
    zeros: usize,
}

impl Decoded {
    /// Appends a byte decoded from the symbols at `from`. Zeros are omitted: ASCII text in UTF-16 has one in every pair.
    pub fn push(&mut self, byte: u8, from: Span) {
        if byte == 0 {
            self.zeros += 1;
            return;
        }
        self.bytes.push(byte);
        self.from.push((from.start as u32, from.end as u32));
    }

    /// Returns whether nothing was decoded.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the bytes as text if they are plausible UTF-8 of at least `shortest` characters.
    pub fn text(&self, shortest: usize) -> Option<ViewBuilder> {
        let text = self.as_text(shortest)?;
        let mut draft = ViewBuilder::default();
        self.append_to(&mut draft, text);
        Some(draft)
    }

    fn as_text(&self, shortest: usize) -> Option<&str> {
        if self.bytes.len() < shortest || self.zeros > self.bytes.len() + 1 {
            return None;
        }
        std::str::from_utf8(&self.bytes).ok().filter(|text| is_plausible(text))
    }

    fn append_to(&self, draft: &mut ViewBuilder, text: &str) {
        for (at, character) in text.char_indices() {
            let start = self.from[at].0 as usize;
            let end = self.from[at + character.len_utf8() - 1].1 as usize;
            draft.put_char(character, Span::new(start, end));
        }
    }
}

/// Whether somebody may have written `text`: no controls, mostly letters, digits and blanks, not the same few again
/// and again; words if it is short.
fn is_plausible(text: &str) -> bool {
    let mut common = 0;
    let mut seen = 0u64;
    let mut length = 0;
    for character in text.chars() {
        if character.is_control() && !matches!(character, '\t' | '\n' | '\r') {
            return false;
        }
        common += usize::from(character.is_alphanumeric() || character == ' ');
        seen |= 1 << (character as u32 % 64);
        length += 1;
    }
    common * 10 >= length * 6
        && seen.count_ones() >= 2
        && (text.len() >= CERTAIN || (seen.count_ones() >= 4 && is_language(text, 4)))
}

/// The payloads of one decoder in a text, put together as they belong.
#[derive(Debug, Default)]
pub struct Payloads {
    draft: ViewBuilder,
    end: usize,
}

impl Payloads {
    /// Adds what stands at `span` of `source` if it is a text of at least `shortest` characters; says whether it is.
    pub fn add(&mut self, source: &str, span: Span, decoded: &Decoded, shortest: usize) -> bool {
        let Some(text) = decoded.as_text(shortest) else {
            return false;
        };
        self.part(source, span);
        decoded.append_to(&mut self.draft, text);
        true
    }

    /// Begins the payload at `span`: with a blank when only a blank or a sign parts it from the one before, else on a new line.
    pub fn part(&mut self, source: &str, span: Span) -> &mut ViewBuilder {
        if !self.draft.text.is_empty() {
            let gap = Span::new(self.end, span.start.max(self.end));
            let is_near = gap.len() <= 4 && !gap.of(source).contains('\n');
            self.draft.put_char(if is_near { ' ' } else { '\n' }, gap);
        }
        self.end = span.end;
        &mut self.draft
    }

    /// All that was added; `None` if nothing was.
    pub fn finish(self) -> Option<ViewBuilder> {
        (!self.draft.text.is_empty()).then_some(self.draft)
    }
}
