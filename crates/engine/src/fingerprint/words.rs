//! Words of a text as fingerprints compare them: letters and digits only, case ignored.

use crate::span::Span;

/// One word, or one ideograph of a script that writes without blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Equal for equal words.
    pub hash: u32,
    /// Where it stands, in bytes.
    pub span: Span,
    /// Whether it is a single character of a script that writes without blanks.
    pub is_ideograph: bool,
}

/// The words of `text`, in order.
pub fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::with_capacity(text.len() / 6);
    let mut open: Option<(Hash, usize)> = None;
    for (at, c) in text.char_indices() {
        if is_ideograph(c) {
            words.extend(open.take().map(|(hash, start)| hash.word(Span::new(start, at), false)));
            let span = Span::new(at, at + c.len_utf8());
            words.push(Hash::START.with(c).word(span, true));
        } else if c.is_alphanumeric() {
            let (hash, start) = open.unwrap_or((Hash::START, at));
            open = Some((c.to_lowercase().fold(hash, Hash::with), start));
        } else if c != '\'' && c != '’' {
            words.extend(open.take().map(|(hash, start)| hash.word(Span::new(start, at), false)));
        }
    }
    words.extend(open.map(|(hash, start)| hash.word(Span::new(start, text.len()), false)));
    words
}

/// FNV-1a over code points (Fowler, Noll, Vo; RFC 9923).
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    const START: Self = Self(0xcbf2_9ce4_8422_2325);

    const fn with(self, c: char) -> Self {
        Self((self.0 ^ c as u64).wrapping_mul(0x0000_0100_0000_01b3))
    }

    const fn word(self, span: Span, is_ideograph: bool) -> Word {
        Word { hash: (self.0 ^ (self.0 >> 32)) as u32, span, is_ideograph }
    }
}

/// Whether `c` is of a script that writes without blanks: kana, Han, and Thai, Lao and Khmer (blocks of Unicode 16).
fn is_ideograph(c: char) -> bool {
    c > '\u{e00}'
        && matches!(c, '\u{e01}'..='\u{eff}' | '\u{1780}'..='\u{17ff}' | '\u{3041}'..='\u{30ff}'
            | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(text: &str) -> Vec<u32> {
        words(text).iter().map(|word| word.hash).collect()
    }

    #[test]
    fn case_punctuation_and_line_breaks_do_not_matter() {
        assert_eq!(hashes("It's a Test, isn’t it?"), hashes("its\na -- test... ISNT it"));
        assert_ne!(hashes("one two"), hashes("onetwo"));
    }

    #[test]
    fn ideographs_are_words_of_their_own() {
        let found = words("ab漢字x");
        let spans: Vec<&str> = found.iter().map(|word| word.span.of("ab漢字x")).collect();
        assert_eq!(spans, ["ab", "漢", "字", "x"]);
    }
}
