//! Passwords.

mod plausible;
mod words;

use std::sync::LazyLock;

use crate::{
    pii::{
        Kind, Match, Scan,
        assignment::{Sentences, Value},
        commands,
    },
    span::Span,
};
use plausible::plausibility;
use words::{IN_SENTENCES, NAMES, RIGHT_BEFORE, VERBS};

/// A password given after its name: `password: hunter2!`, `pwd=…`, `my password is …`.
///
/// Talk about passwords (`password: required`, `forgot my password`) and code that handles them (`password: str`,
/// `password = input()`) are none.
pub struct Password;

static SENTENCES: LazyLock<Sentences> = LazyLock::new(|| Sentences::new(&IN_SENTENCES, &VERBS));
static NEIGHBOURS: LazyLock<Sentences> = LazyLock::new(|| Sentences::new(&RIGHT_BEFORE, &[""]));

impl Kind for Password {
    fn name(&self) -> &'static str {
        "password"
    }

    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Match>) {
        let text = scan.text;
        for value in scan
            .assignments()
            .iter()
            .filter(|found| found.is_labelled(&NAMES))
            .filter_map(|found| found.value(text))
        {
            let confidence = plausibility(value.span.of(text), value.stands_alone(text));
            found.extend(confidence.map(|confidence| Match { span: value.span, confidence }));
        }
        found.extend(SENTENCES.values(text).filter_map(|value| judge_told(text, value)));
        let beside = NEIGHBOURS.values(text).filter(|value| is_scrambled(value.span.of(text)));
        found.extend(beside.filter_map(|value| judge_told(text, value)));
        let given = commands::credentials(text).map(|given| given.password);
        found.extend(given.map(|span| Match { span, confidence: 0.9 }));
    }

    fn partial(&self, value: &str) -> String {
        "*".repeat(value.chars().count())
    }
}

// Sentences go on with plain words, so these are none; a closing `!` may be the sentence's.
fn judge_told(text: &str, Value { span, quoted }: Value) -> Option<Match> {
    let written = span.of(text);
    let span = if quoted {
        span
    } else {
        Span::new(span.start, span.start + written.trim_end_matches(['!', '?']).len())
    };
    let confidence = plausibility(span.of(text), quoted).filter(|sure| *sure > 0.65)?;
    Some(Match { span, confidence })
}

// Letters and digits in a way that no word, number or norm is written.
fn is_scrambled(value: &str) -> bool {
    let has = |is: fn(char) -> bool| value.contains(is);
    let is_sign = |c: char| matches!(c, '!' | '#' | '$' | '%' | '&' | '*' | '+' | '=' | '?' | '^' | '~' | '@');
    value.chars().count() > 6
        && has(|c| c.is_ascii_digit())
        && has(char::is_lowercase)
        && (value.chars().skip(1).any(char::is_uppercase) || value.contains(is_sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        Password.find(&Scan::new(text), &mut found);
        found.iter().map(|found| found.span.of(text)).collect()
    }

    #[test]
    fn a_password_after_its_name_is_found_in_any_language() {
        for (text, password) in [
            ("password: hunter2!", "hunter2!"),
            ("DB_PASSWORD=Tr0ub4dor&3", "Tr0ub4dor&3"),
            ("{\"password\": \"letmein\"}", "letmein"),
            ("my password is Sommer2024", "Sommer2024"),
            ("Das Passwort lautet Blume77#.", "Blume77#"),
            ("contraseña: gato_Negro9", "gato_Negro9"),
            ("le mot de passe est Soleil42", "Soleil42"),
            ("密码是abc12345", "abc12345"),
            ("пароль: qwerty123", "qwerty123"),
            ("パスワードは sakura2023", "sakura2023"),
            ("pwd = 'S3cure pass phrase'", "S3cure pass phrase"),
            ("senha: 12345678", "12345678"),
            ("user: jane password: correcthorse\n", "correcthorse"),
            ("The password is D4NWtZ8ia)a(n, keep it.", "D4NWtZ8ia)a(n"),
            ("I typed my password biscuit6094# into the chat", "biscuit6094#"),
            ("wifi: Heron, pass Gd3LFFWdKJ, upstairs", "Gd3LFFWdKJ"),
            ("curl -u jdoe:hunter2 https://x.example", "hunter2"),
        ] {
            assert_eq!(found(text), [password], "{text}");
        }
    }

    #[test]
    fn talk_about_passwords_and_code_are_none() {
        for text in [
            "password: required",
            "I forgot my password again",
            "password: str",
            "password = input()",
            "password=os.environ['PW']",
            "def f(password: Optional[str] = None):",
            "the password is too short",
            "Password: must be at least 8 characters",
            "password is case-sensitive",
            "password = request.form.get('p')",
            "if password == expected:",
            "password: ********",
            "password=<your password>",
            "password: ${DB_PASSWORD}",
            "your password is required to contain 8 letters",
            "password is hashed with SHA-256",
            "const password = user.password;",
            "password: &str,",
            "set password to expire in 90 days",
            "boarding pass: seat 12",
            "We pass ISO27001 audits with password SHA-256 hashes",
            "my password manager 1Password is slow",
            "password: hash(input)",
            "Choose a password 8 characters long",
            "password 电话[at]1",
            "password: [REDACTED]",
            "reset your password: https://example.com/reset",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
