//! User names and passwords that a sentence gives together: `the password for jdoe is …`, `La contraseña de jdoe es …`.

use std::sync::LazyLock;

use regex::Regex;

use super::{commands::Credentials, nearby};
use crate::{regex::pattern, span::Span};

/// Words for a password, without a first letter that may be a capital.
const WORDS: &str = "assword |asswort |ennwort |ot de passe |ontraseña |enha |achtwoord |asło |asscode ";
/// Bytes in which the sentence goes on.
const REACH: usize = 96;

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(WORDS));
static REST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)^(?:for\ user|for|of|von|für|des\ Benutzers|de\ l'utilisateur|del\ usuario|do\ usuário|dell'utente|van\ gebruiker|
            dla\ użytkownika|użytkownika|de|du|di|da|do|per|van|voor|dla)\ ([\w.-]{3,32})\ (?:is|ist|lautet|est|es|é|è|jest|to):?\ (\S{4,64})",
    )
});

/// `jdoe'nin şifresi …`: in Turkish the name stands first.
static TURKISH: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"([\w.-]{3,32})['’][ns]?[iıuü]n [şŞ]ifresi:? (\S{4,64})$"));

/// Those in `text`; first those with the name behind the word for a password.
pub fn credentials(text: &str) -> impl Iterator<Item = Credentials> {
    behind(text).chain(before(text))
}

fn before(text: &str) -> impl Iterator<Item = Credentials> {
    let words = memchr::memmem::find_iter(text.as_bytes(), "ifresi".as_bytes());
    words.filter_map(move |word| {
        let end =
            word + text[word..].split([' ', '\n']).take(2).map(|part| part.len() + 1).sum::<usize>() - 1;
        let begin = end.min(text.len());
        let line = nearby::before(text, begin, REACH);
        let told = TURKISH.captures(line)?;
        let span = |group: usize| {
            let part = told.get(group)?;
            let start = begin - line.len() + part.start();
            Some(Span::new(start, start + without_sentence(part.as_str())))
        };
        Some(Credentials { name: span(1)?, password: span(2)? })
    })
}

/// Length of a value without the punctuation of its sentence.
fn without_sentence(value: &str) -> usize {
    value.trim_end_matches(['.', ',', ';', ')', '"', '\'']).len()
}

fn behind(text: &str) -> impl Iterator<Item = Credentials> {
    WORD.find_iter(text).filter_map(move |word| {
        let rest = REST.captures(nearby::after(text, word.end(), REACH))?;
        let span = |group: usize| {
            let part = rest.get(group)?;
            let start = word.end() + part.start();
            Some(Span::new(start, start + without_sentence(part.as_str())))
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
            "Hasło użytkownika jdoe_7 to fog!Lamp22",
            "La contraseña del usuario jdoe_7 es: fog!Lamp22",
            "a senha de jdoe_7 é fog!Lamp22",
            "please set the password for jdoe_7 to fog!Lamp22",
            "jdoe_7'nin şifresi fog!Lamp22",
        ] {
            let told: Vec<_> =
                credentials(text).map(|one| (one.name.of(text), one.password.of(text))).collect();
            assert_eq!(told, [("jdoe_7", "fog!Lamp22")], "{text}");
        }
    }

    #[test]
    fn talk_of_passwords_gives_nobody_away() {
        for text in [
            "The password for you",
            "password of the day changes",
            "şifresi",
            "onun şifresi yok",
            "sifresi ifresi",
        ] {
            assert_eq!(credentials(text).count(), 0, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_search_panic(text in "(assword for |ifresi| is |'nin şifresi |\\PC|é|\n){0,12}") {
            proptest::prop_assert!(credentials(&text).all(|one| one.name.end <= text.len()));
        }
    }
}
