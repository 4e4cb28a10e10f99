//! The words of a text, as the linear model counts them.
//!
//! A word is a run of letters, marks and digits; letters are lower-cased, every digit is read as `0`, apostrophes
//! inside are dropped. Scripts written without blanks (Han, kana, Thai, ...) and Hangul make runs of their own, and a
//! run of punctuation is a mark. Runs are cut at [`MAX_TOKEN_CHARS`] characters, which bounds the work for each of them.

/// Characters of a run before it is cut.
pub const MAX_TOKEN_CHARS: usize = 40;

/// What kind of run a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Letters and digits of a script that puts blanks between words.
    Word,
    /// Characters of a script whose words do not show.
    Unspaced,
    /// Punctuation other than a lone full stop or comma.
    Mark,
}

/// One run.
#[derive(Clone, Copy, Debug)]
pub struct Token<'b> {
    /// Its first byte in the text.
    pub start: usize,
    /// What it is.
    pub kind: Kind,
    /// Hash of its characters.
    pub hash: u64,
    /// Its characters between a `<` and a `>`.
    pub padded: &'b [u32],
}

/// The first state of [`mix`].
pub const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Takes one more value into a hash: rotate, exclusive or, multiply (the scheme of Firefox's `FxHasher`).
/// The upper bits are the good ones.
#[inline]
pub const fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Unspaced,
    Mark,
    Joiner,
    Blank,
}

const ASCII: [(Class, u8); 128] = ascii_classes();

const fn ascii_classes() -> [(Class, u8); 128] {
    let mut classes = [(Class::Mark, 0); 128];
    let mut byte = 0;
    while byte < 128 {
        let plain = byte as u8;
        classes[byte] = match plain {
            b'a'..=b'z' => (Class::Letter, plain),
            b'A'..=b'Z' => (Class::Letter, plain + 32),
            b'0'..=b'9' => (Class::Letter, b'0'),
            b'\'' => (Class::Joiner, plain),
            0..=32 | 127 | b'_' => (Class::Blank, plain),
            _ => (Class::Mark, plain),
        };
        byte += 1;
    }
    classes
}

fn classify(character: char) -> (Class, u32) {
    let code = u32::from(character);
    match code {
        0x2019 | 0xad => (Class::Joiner, code),
        _ if is_unspaced(code) => (Class::Unspaced, code),
        _ if character.is_alphabetic() || is_sign(code) => (Class::Letter, lower(character)),
        _ if character.is_numeric() => (Class::Letter, u32::from(b'0')),
        _ if character.is_whitespace() || character.is_control() => (Class::Blank, code),
        _ => (Class::Mark, code),
    }
}

/// Thai, Lao, Burmese, Khmer; Hangul, kana, Han and its supplements (Unicode blocks).
const fn is_unspaced(code: u32) -> bool {
    matches!(
        code,
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x1100..=0x11ff | 0x3040..=0x30ff
            | 0x3400..=0x9fff | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0x20000..=0x3ffff
    )
}

/// Combining signs of the scripts that need them to spell a word (Unicode blocks; viramas, nuktas, vowel points).
const fn is_sign(code: u32) -> bool {
    matches!(code, 0x300..=0x36f | 0x591..=0x5c7 | 0x64b..=0x65f | 0x900..=0xdff)
}

fn lower(character: char) -> u32 {
    u32::from(character.to_lowercase().next().unwrap_or(character))
}

struct Run {
    padded: [u32; MAX_TOKEN_CHARS + 2],
    length: usize,
    start: usize,
    class: Class,
    hash: u64,
}

impl Run {
    const fn new() -> Self {
        let mut padded = [0; MAX_TOKEN_CHARS + 2];
        padded[0] = b'<' as u32;
        Self { padded, length: 0, start: 0, class: Class::Blank, hash: SEED }
    }

    #[inline]
    fn push(&mut self, start: usize, class: Class, code: u32) {
        if self.length == 0 {
            (self.start, self.class, self.hash) = (start, class, SEED);
        }
        self.length += 1;
        self.padded[self.length] = code;
        self.hash = mix(self.hash, u64::from(code));
    }

    #[inline]
    fn end(&mut self, visit: &mut impl FnMut(Token<'_>)) {
        let kind = match self.class {
            Class::Letter => Kind::Word,
            Class::Unspaced => Kind::Unspaced,
            _ => Kind::Mark,
        };
        let ordinary = kind == Kind::Mark && self.length == 1 && matches!(self.padded[1], 0x2c | 0x2e);
        if self.length > 0 && !ordinary {
            self.padded[self.length + 1] = u32::from(b'>');
            visit(Token {
                start: self.start,
                kind,
                hash: self.hash,
                padded: &self.padded[..self.length + 2],
            });
        }
        self.length = 0;
    }
}

/// Calls `visit` for every token of `text`, in order.
pub fn tokens(text: &str, mut visit: impl FnMut(Token<'_>)) {
    let bytes = text.as_bytes();
    let mut run = Run::new();
    let mut at = 0;
    while at < bytes.len() {
        let (class, code, width) = read(text, bytes, at);
        take(&mut run, at, class, code, &mut visit);
        at += width;
    }
    run.end(&mut visit);
}

#[inline]
fn read(text: &str, bytes: &[u8], at: usize) -> (Class, u32, usize) {
    if let Some((class, code)) = ASCII.get(usize::from(bytes[at])) {
        return (*class, u32::from(*code), 1);
    }
    let character = text[at..].chars().next().unwrap_or('\u{fffd}');
    let (class, code) = classify(character);
    (class, code, character.len_utf8())
}

#[inline]
fn take(run: &mut Run, at: usize, class: Class, code: u32, visit: &mut impl FnMut(Token<'_>)) {
    match class {
        Class::Blank => run.end(visit),
        Class::Joiner => {}
        _ => {
            if run.length == MAX_TOKEN_CHARS || run.class != class {
                run.end(visit);
            }
            run.push(at, class, code);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        tokens(text, |token| {
            let inner = &token.padded[1..token.padded.len() - 1];
            words.push(inner.iter().filter_map(|code| char::from_u32(*code)).collect());
        });
        words
    }

    #[test]
    fn words_are_lower_cased_and_digits_are_alike() {
        assert_eq!(words("Ignore RULE 47, don't."), ["ignore", "rule", "00", "dont"]);
    }

    #[test]
    fn scripts_without_blanks_are_runs_of_their_own() {
        assert_eq!(words("use忽略rules"), ["use", "忽略", "rules"]);
    }

    #[test]
    fn signs_belong_to_their_letters() {
        assert_eq!(words("नमस्ते दुनिया"), ["नमस्ते", "दुनिया"]);
    }

    #[test]
    fn marks_stand_alone() {
        assert_eq!(words("<|system|> a.b"), ["<|", "system", "|>", "a", "b"]);
    }

    #[test]
    fn a_long_run_is_cut() {
        assert_eq!(words(&"x".repeat(100)).iter().map(String::len).collect::<Vec<_>>(), [40, 40, 20]);
    }

    #[test]
    fn a_token_knows_its_first_byte() {
        let mut starts = Vec::new();
        tokens("é über ok", |token| starts.push(token.start));
        assert_eq!(starts, [0, 3, 9]);
    }
}
