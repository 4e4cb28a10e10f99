//! Passwords.

mod plausible;

use crate::{
    pii::{Kind, Match, Scan, assignment},
    span::Span,
};
use plausible::plausibility;

/// A password given after its name: `password: hunter2!`, `pwd=…`, `my password is …`.
///
/// Talk about passwords (`password: required`, `forgot my password`) and code that handles them (`password: str`,
/// `password = input()`) are none.
pub struct Password;

const NAMES: [&str; 30] = [
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "pass",
    "passwort",
    "kennwort",
    "passwörter",
    "mot de passe",
    "mdp",
    "contraseña",
    "contrasena",
    "clave de acceso",
    "senha",
    "palavra passe",
    "wachtwoord",
    "hasło",
    "haslo",
    "şifre",
    "parola",
    "пароль",
    "lösenord",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
    "पासवर्ड",
    "كلمة المرور",
    "סיסמה",
];

/// Words for a password in sentences that go on with a verb.
const IN_SENTENCES: [&str; 17] = [
    "assword",
    "assphrase",
    "asswort",
    "ennwort",
    "ot de passe",
    "ontraseña",
    "enha",
    "achtwoord",
    "asło",
    "ifre",
    "arola",
    "ароль",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
    "wd",
];

const VERBS: [&str; 17] = [
    " is now ",
    " is: ",
    " is ",
    " was ",
    " to ",
    " lautet: ",
    " lautet ",
    " ist ",
    " est ",
    " es ",
    " é ",
    " è ",
    " jest ",
    " - ",
    "是",
    "は",
    "는 ",
];

impl Kind for Password {
    fn name(&self) -> &'static str {
        "password"
    }

    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Match>) {
        for assignment in scan.assignments().iter().filter(|found| found.is_labelled(&NAMES)) {
            let stands_alone = assignment.quoted || assignment.ends_line;
            let confidence = plausibility(assignment.value.of(scan.text), stands_alone);
            found.extend(confidence.map(|confidence| Match { span: assignment.value, confidence }));
        }
        for name in IN_SENTENCES {
            let ends = memchr::memmem::find_iter(scan.text.as_bytes(), name).map(|place| place + name.len());
            found.extend(ends.filter_map(|end| told(scan.text, end)));
        }
    }

    fn partial(&self, value: &str) -> String {
        "*".repeat(value.chars().count())
    }
}

// The value behind a verb behind a word for password. Prose goes on with plain words, so these are none.
fn told(text: &str, end: usize) -> Option<Match> {
    let verb = VERBS.iter().find(|verb| text[end..].starts_with(**verb))?;
    let (span, quoted) = assignment::value(text, end + verb.len())?;
    let span = Span::new(span.start, span.start + span.of(text).trim_end_matches(['!', '?']).len().max(1));
    let confidence = plausibility(span.of(text), quoted).filter(|sure| *sure > 0.65)?;
    Some(Match { span, confidence })
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
            "password: [REDACTED]",
            "reset your password: https://example.com/reset",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
