//! Names and passwords that a sentence gives together: `the password for jdoe is …`, `La contraseña de jdoe es …`.

use std::sync::LazyLock;

use regex::Regex;

use super::{commands::Credentials, near};
use crate::span::Span;

/// Words for a password, without a first letter that may be a capital.
const WORDS: &str = "assword |asswort |ennwort |ot de passe |ontraseña |enha |achtwoord |asło |asscode ";
/// Bytes in which the sentence goes on.
const REACH: usize = 96;

static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(WORDS).ok());
static REST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"^(?:for user|for|of|von|für|de|du|di|da|do|per|van|voor|dla) ([\w.-]{3,32}) (?:is|ist|lautet|est|es|é|è|jest):? (\S{4,64})",
    )
    .ok()
});

/// Those in `text`, in order of appearance.
pub fn credentials(text: &str) -> impl Iterator<Item = Credentials> {
    let words = WORD.iter().flat_map(move |word| word.find_iter(text));
    words.filter_map(move |word| {
        let rest = REST.as_ref()?.captures(near::after(text, word.end(), REACH))?;
        let span = |group: usize| {
            let part = rest.get(group)?;
            let length = part.as_str().trim_end_matches(['.', ',', ';', ')', '"', '\'']).len();
            let start = word.end() + part.start();
            Some(Span::new(start, start + length))
        };
        Some(Credentials { name: span(1)?, password: span(2)? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_gives_a_name_and_a_password_away() {
        for text in [
            "the password for jdoe_7 is fog!Lamp22, keep it",
            "La contraseña de jdoe_7 es fog!Lamp22.",
            "Das Passwort für jdoe_7 lautet: fog!Lamp22",
            "Le mot de passe de jdoe_7 est fog!Lamp22",
            "Het wachtwoord van jdoe_7 is fog!Lamp22",
        ] {
            let told: Vec<_> =
                credentials(text).map(|one| (one.name.of(text), one.password.of(text))).collect();
            assert_eq!(told, [("jdoe_7", "fog!Lamp22")], "{text}");
        }
    }
}
