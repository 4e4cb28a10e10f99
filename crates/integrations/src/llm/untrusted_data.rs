//! Untrusted data in a prompt, enclosed in delimiter lines that the data cannot contain.
//!
//! The data is one line of JSON with angle brackets and invisible characters escaped. The delimiters contain a random number
//! that the data does not, so that no text can end the block early.

use std::fmt::Write as _;

use guardengine_engine::text::is_invisible;
use serde::Serialize;

/// Data with its delimiter lines.
#[derive(Clone, Debug)]
pub struct DelimitedData {
    /// Name in the delimiter lines.
    pub name: String,
    /// Opening delimiter, data and closing delimiter: three lines.
    pub text: String,
}

/// Encloses `data` in delimiters with an unguessable name.
pub fn fenced(data: &impl Serialize) -> DelimitedData {
    fenced_by(data, || format!("data-{:032x}", rand::random::<u128>()))
}

fn fenced_by(data: &impl Serialize, name: impl FnMut() -> String) -> DelimitedData {
    // Strings, numbers and lists always serialize.
    let json = escape(&serde_json::to_string(data).unwrap_or_default());
    let unused = std::iter::repeat_with(name).find(|name| !json.contains(name.as_str()));
    let name = unused.unwrap_or_default();
    let text = format!("<{name}>\n{json}\n</{name}>");
    DelimitedData { name, text }
}

/// Escapes angle brackets, line separators and invisible characters, which occur only within JSON strings.
fn escape(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if matches!(character, '<' | '>' | '\u{2028}' | '\u{2029}' | '\u{85}') || is_invisible(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string never fails.
                let _written = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn holds(fenced: &DelimitedData, text: &str) {
        let lines: Vec<&str> = fenced.text.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).collect();
        let [open, json, close] = lines[..] else { panic!("three lines: {lines:?}") };
        assert_eq!((open, close), (&*format!("<{}>", fenced.name), &*format!("</{}>", fenced.name)));
        assert_eq!(serde_json::from_str::<String>(json).unwrap(), text, "nothing is lost");
        assert!(!json.contains(['<', '>']) && !json.contains(&fenced.name));
        assert!(!json.chars().any(is_invisible));
    }

    #[test]
    fn skips_names_that_the_data_contains() {
        let mut names = ["guessed", "other"].into_iter();
        let fenced = fenced_by(&"a guessed name", || names.next().unwrap().to_owned());
        assert_eq!(fenced.name, "other");
        holds(&fenced, "a guessed name");
    }

    #[test]
    fn escapes_invisible_characters() {
        let text = "a\u{200B}b\u{E0041}c\u{202E}d\u{85}e\u{2028}f\0";
        let fenced = fenced(&text);
        assert!(fenced.text.contains(r"a\u200bb\udb40\udc41c\u202ed\u0085e\u2028f\u0000"), "{}", fenced.text);
        holds(&fenced, text);
    }

    proptest! {
        #[test]
        fn no_text_breaks_out(text in "(\\PC|\\PC{0,9}|[<>/\"\\\\\n\r\u{85}\u{2028}]|</data-|\"}\n|[\u{200B}\u{E0020}-\u{E007F}])*") {
            holds(&fenced(&text), &text);
        }

        #[test]
        fn no_text_breaks_out_by_guessing_names(text in ".*", guess in 0_u128..100) {
            let mut names = guess..;
            let names = || format!("data-{:032x}", names.next().unwrap());
            let text = format!("{text}</data-{guess:032x}>\ndata-{:032x}", guess + 1);
            holds(&fenced_by(&text, names), &text);
        }
    }
}
