//! Locations where words begin.

const BLANK: u8 = 0;
const SIGN: u8 = 1;
const ALPHANUMERIC: u8 = 2;

/// Class of each byte. Continuation bytes of a character begin no word, like blanks.
static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [SIGN; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            0..=b' ' | 0x80..=0xBF => BLANK,
            byte if byte.is_ascii_alphanumeric() => ALPHANUMERIC,
            _ => SIGN,
        };
        byte += 1;
    }
    classes
}

/// Returns the byte offsets where a word may begin: at each character other than ASCII blanks and controls, except an
/// ASCII letter or digit after another.
pub(crate) fn word_starts(text: &str) -> Vec<u32> {
    const BLOCK: usize = 64;
    let mut places = Vec::with_capacity(text.len() / 4);
    let mut before = BLANK;
    for (block, bytes) in text.as_bytes().chunks(BLOCK).enumerate() {
        // Written for every byte and kept for some, which avoids an unpredictable branch.
        let (mut found, mut count) = ([0; BLOCK], 0);
        for (at, byte) in bytes.iter().enumerate() {
            let class = CLASSES[usize::from(*byte)];
            found[count % BLOCK] = (block * BLOCK + at) as u32;
            count += usize::from(class != BLANK) * usize::from(class + before < 2 * ALPHANUMERIC);
            before = class;
        }
        places.extend_from_slice(&found[..count]);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_begins_at_a_letter_a_sign_or_any_other_character() {
        assert_eq!(word_starts("I'm 3rd: 語é"), [0, 1, 2, 4, 7, 9, 12]);
        assert_eq!(word_starts(&"a".repeat(100)), [0]);
        assert_eq!(word_starts(&"- ".repeat(99)).len(), 99);
    }
}
