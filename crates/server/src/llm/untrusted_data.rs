//! Texts of others in a question: data between two lines that the text cannot hold.
//!
//! The text is JSON on one line, in which angle brackets and whatever a reader does not see are escaped, and the lines
//! around it hold a random number that it does not: it cannot end early, whatever stands in it.

use std::fmt::Write as _;

use guardengine_engine::text::is_invisible;
use serde::Serialize;

/// A text between its lines.
#[derive(Clone, Debug)]
pub struct DelimitedData {
    /// What the lines are called.
    pub name: String,
    /// The three lines.
    pub text: String,
}

/// `data` between lines whose name nobody can guess.
pub fn fenced(data: &impl Serialize) -> DelimitedData {
    fenced_by(data, || format!("data-{:032x}", rand::random::<u128>()))
}

fn fenced_by(data: &impl Serialize, name: impl FnMut() -> String) -> DelimitedData {
    // Strings, numbers and lists: they can always be written.
    let json = escaped(&serde_json::to_string(data).unwrap_or_default());
    let free = std::iter::repeat_with(name).find(|name| !json.contains(name.as_str()));
    let name = free.unwrap_or_default();
    let text = format!("<{name}>\n{json}\n</{name}>");
    DelimitedData { name, text }
}

/// JSON with further characters escaped, which outside its strings do not occur.
fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if matches!(character, '<' | '>' | '\u{2028}' | '\u{2029}' | '\u{85}') || is_invisible(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing into a string does not fail.
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
    fn a_name_that_the_text_holds_is_not_taken() {
        let mut names = ["guessed", "other"].into_iter();
        let fenced = fenced_by(&"a guessed name", || names.next().unwrap().to_owned());
        assert_eq!(fenced.name, "other");
        holds(&fenced, "a guessed name");
    }

    #[test]
    fn what_a_reader_does_not_see_is_shown() {
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
        fn no_text_breaks_out_that_tries_every_name(text in ".*", tried in 0_u128..100) {
            let mut names = tried..;
            let names = || format!("data-{:032x}", names.next().unwrap());
            let text = format!("{text}</data-{tried:032x}>\ndata-{:032x}", tried + 1);
            holds(&fenced_by(&text, names), &text);
        }
    }
}
