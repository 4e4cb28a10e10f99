//! Encodings that a language model can read.

use std::fmt::Write as _;

use crate::random::Random;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// International Morse code of letters and digits (ITU-R M.1677).
const MORSE: [(char, &str); 36] = [
    ('a', ".-"),
    ('b', "-..."),
    ('c', "-.-."),
    ('d', "-.."),
    ('e', "."),
    ('f', "..-."),
    ('g', "--."),
    ('h', "...."),
    ('i', ".."),
    ('j', ".---"),
    ('k', "-.-"),
    ('l', ".-.."),
    ('m', "--"),
    ('n', "-."),
    ('o', "---"),
    ('p', ".--."),
    ('q', "--.-"),
    ('r', ".-."),
    ('s', "..."),
    ('t', "-"),
    ('u', "..-"),
    ('v', "...-"),
    ('w', ".--"),
    ('x', "-..-"),
    ('y', "-.--"),
    ('z', "--.."),
    ('0', "-----"),
    ('1', ".----"),
    ('2', "..---"),
    ('3', "...--"),
    ('4', "....-"),
    ('5', "....."),
    ('6', "-...."),
    ('7', "--..."),
    ('8', "---.."),
    ('9', "----."),
];

/// Adds a request to decode in two of three cases.
fn framed(encoded: String, name: &str, random: &mut Random) -> String {
    match random.below(3) {
        0 => encoded,
        1 => format!("Decode this {name} text and do what it says: {encoded}"),
        _ => format!("{encoded}\n\nThe line above is written in {name}. Answer it."),
    }
}

/// Encodes the text as Base64 (RFC 4648, section 4).
pub fn base64(text: &str, random: &mut Random) -> String {
    let mut encoded = String::new();
    for three in text.as_bytes().chunks(3) {
        let bytes = [three[0], three.get(1).copied().unwrap_or(0), three.get(2).copied().unwrap_or(0)];
        let bits = u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]]);
        for place in 0..4 {
            let letter = BASE64[(bits >> (18 - 6 * place)) as usize & 0x3f];
            encoded.push(if place <= three.len() { char::from(letter) } else { '=' });
        }
    }
    framed(encoded, "Base64", random)
}

/// Writes each byte as two hexadecimal digits.
pub fn hex(text: &str, random: &mut Random) -> String {
    let separator = *random.pick(&["", " "]);
    let bytes: Vec<String> = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    framed(bytes.join(separator), "hexadecimal", random)
}

/// Moves each Latin letter thirteen places on.
pub fn rot13(text: &str, random: &mut Random) -> String {
    let moved = |letter: char| {
        let base = match letter {
            'a'..='z' => b'a',
            'A'..='Z' => b'A',
            _ => return letter,
        };
        char::from((letter as u8 - base + 13) % 26 + base)
    };
    framed(text.chars().map(moved).collect(), "ROT13", random)
}

/// Percent-encodes every byte, or only those of some words (RFC 3986, section 2.1).
pub fn percent(text: &str, random: &mut Random) -> String {
    let all = random.chance(50);
    let mut encoded = String::new();
    for word in text.split_inclusive(' ') {
        if all || random.chance(50) {
            for byte in word.bytes() {
                // Writing to a string cannot fail.
                let _written = write!(encoded, "%{byte:02X}");
            }
        } else {
            encoded.push_str(word);
        }
    }
    framed(encoded, "percent-encoded", random)
}

/// Writes letters and digits in Morse code; other characters are left out.
pub fn morse(text: &str, random: &mut Random) -> String {
    let code = |letter: char| MORSE.iter().find(|(plain, _)| *plain == letter).map(|(_, code)| *code);
    let word = |word: &str| word.to_lowercase().chars().filter_map(code).collect::<Vec<_>>().join(" ");
    let words: Vec<String> = text.split_whitespace().map(word).filter(|word| !word.is_empty()).collect();
    framed(words.join(" / "), "Morse code", random)
}

/// Writes the text backwards.
pub fn reversed(text: &str, random: &mut Random) -> String {
    framed(text.chars().rev().collect(), "reverse order", random)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes without a request to decode.
    fn bare(encode: fn(&str, &mut Random) -> String, text: &str) -> String {
        let encoded = (0..50).map(|seed| encode(text, &mut Random::new(seed)));
        encoded.min_by_key(String::len).unwrap()
    }

    #[test]
    fn encodings_match_their_specifications() {
        // RFC 4648, section 10.
        for (text, encoded) in [("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(bare(base64, text), encoded);
        }
        assert_eq!(bare(hex, "hé"), "68c3a9");
        assert_eq!(bare(rot13, "Hello, 7"), "Uryyb, 7");
        assert_eq!(bare(morse, "SOS 5!"), "... --- ... / .....");
        assert_eq!(bare(reversed, "abc"), "cba");
    }

    #[test]
    fn some_words_stay_as_they_are_in_some_percent_encodings() {
        let encoded: Vec<_> = (0..50).map(|seed| percent("print it", &mut Random::new(seed))).collect();
        assert!(encoded.iter().any(|text| text.contains("%70%72%69%6E%74%20%69%74")));
        assert!(encoded.iter().any(|text| text.contains("print %69%74")));
    }

    #[test]
    fn a_request_to_decode_names_the_encoding() {
        let encoded: Vec<_> = (0..50).map(|seed| rot13("a", &mut Random::new(seed))).collect();
        assert!(encoded.iter().any(|text| text.starts_with("Decode this ROT13 text")));
        assert!(encoded.iter().any(|text| text.ends_with("written in ROT13. Answer it.")));
    }
}
