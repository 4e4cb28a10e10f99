//! Passwords.

mod plausible;

use crate::{
    pii::{
        Match, PiiType, Scanner, commands,
        labelled::{Field, Kind, Sign, Value},
        nearby, prose_credentials,
        tables::Column,
    },
    span::Span,
    text::is_unlikely_word,
};
use plausible::plausibility;

/// A password given after its name: `password: hunter2!`, `pwd=…`, `my password is …`.
///
/// Talk about passwords (`password: required`, `forgot my password`) and code that handles them (`password: str`,
/// `password = input()`) are none.
pub struct Password;

/// Confidence of `lantern4812` right behind the word for a password.
const WORD_AND_NUMBER: f32 = 0.6;

/// Confidence of a plain word where only a password can stand.
const PLAIN: f32 = 0.6;
/// Letters of the shortest word that no language is likely to have.
const UNLIKELY: usize = 6;

impl PiiType for Password {
    fn name(&self) -> &'static str {
        "password"
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        let text = scan.text;
        let stated = prose_credentials::credentials(text).map(|one| bare(one.password));
        found.extend(stated.filter_map(|value| evaluate_stated(text, value)));
        let listed = scan.cells_of(Column::Password).filter(|span| !span.of(text).contains([' ', '=']));
        found.extend(
            listed.filter_map(|span| Some(Match { span, confidence: plausibility(span.of(text), true)? })),
        );
        let given = commands::credentials(text).map(|given| given.password).chain(commands::passwords(text));
        found.extend(given.map(|span| Match { span, confidence: 0.9 }));
    }

    fn labelled(&self, scan: &Scanner<'_>, field: &Field) -> Option<Match> {
        let (text, value) = (scan.text, field.value);
        if field.kind == Kind::Username {
            return behind_name(text, value);
        }
        if field.kind != Kind::Password {
            return None;
        }
        match field.sign {
            Sign::Assigned => evaluate_assigned(text, field),
            Sign::Stated => evaluate_stated(text, value).or_else(|| evaluate_word(text, value)),
            Sign::StatedLater => evaluate_neighbour(text, value).or_else(|| evaluate_word(text, value)),
            Sign::Beside if is_sure(text, field) => evaluate_assigned(text, field),
            Sign::Beside => evaluate_neighbour(text, value).or_else(|| evaluate_word(text, value)),
        }
    }

    fn partial(&self, value: &str) -> String {
        "*".repeat(value.chars().count())
    }
}

const fn bare(span: Span) -> Value {
    Value { span, is_quoted: false, is_ended: false }
}

fn evaluate_assigned(text: &str, field: &Field) -> Option<Match> {
    let span = field.value.span;
    let is_alone = field.value.stands_alone(text) || field.is_machine_key(text);
    Some(Match { span, confidence: plausibility(span.of(text), is_alone)? })
}

/// Returns whether a value without a sign is the label's all the same: `PASSWORD 'x'` of a statement, `DB_PASSWORD x` of a
/// constant, `"x"` as all that the line says, or the password of netrc (`login a password x`).
fn is_sure(text: &str, field: &Field) -> bool {
    const LINE: usize = 120;
    let key = field.key.of(text);
    let line = nearby::before(text, field.key.start, LINE);
    let line = line.rsplit('\n').next().unwrap_or_default();
    let is_statement = !key.contains(char::is_lowercase);
    if field.value.is_quoted {
        return is_statement || line.trim().is_empty();
    }
    let is_netrc =
        || line.split_whitespace().rev().nth(1).is_some_and(|word| matches!(word, "login" | "account"));
    field.is_machine_key(text) || is_netrc()
}

// `login: name / password`.
fn behind_name(text: &str, name: Value) -> Option<Match> {
    const REACH: usize = 128;
    let rest = nearby::after(text, name.span.end, REACH);
    let value = rest.strip_prefix(" / ").or_else(|| rest.strip_prefix(" : "))?;
    let length = value.find([' ', '\n', ',', ';']).unwrap_or(value.len());
    let start = name.span.end + rest.len() - value.len();
    let value = bare(Span::new(start, start + length));
    evaluate_stated(text, value).or_else(|| evaluate_word(text, value))
}

// A word whose letters no language puts side by side.
fn evaluate_word(text: &str, value: Value) -> Option<Match> {
    let word = value.span.of(text);
    let is_one = word.len() >= UNLIKELY && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let span = value.span;
    (is_one && is_unlikely_word(word))
        .then_some(Match { span, confidence: plausibility(word, true)?.min(PLAIN) })
}

// Sentences go on with plain words, so these are none; a closing `!` may be the sentence's.
fn evaluate_stated(text: &str, Value { span, is_quoted, .. }: Value) -> Option<Match> {
    let written = span.of(text);
    let span = if is_quoted {
        span
    } else {
        Span::new(span.start, span.start + written.trim_end_matches(['!', '?']).len())
    };
    let confidence = plausibility(span.of(text), is_quoted).filter(|sure| *sure > 0.65)?;
    Some(Match { span, confidence })
}

// Sentences go on with `grade12` too, so that a word with a number is worth masking, not worth stopping a text.
fn evaluate_neighbour(text: &str, value: Value) -> Option<Match> {
    let written = value.span.of(text);
    let most = if is_scrambled(written) { 1.0 } else { WORD_AND_NUMBER };
    let may_be = most > WORD_AND_NUMBER || is_word_and_number(written);
    let found = may_be.then(|| evaluate_stated(text, value)).flatten()?;
    Some(Match { confidence: found.confidence.min(most), ..found })
}

// Letters and digits in a way that no word, number or norm is written.
fn is_scrambled(value: &str) -> bool {
    let has = |is: fn(char) -> bool| value.contains(is);
    let is_sign =
        |c: char| matches!(c, '!' | '#' | '$' | '%' | '&' | '*' | '+' | '=' | '?' | '^' | '~' | '@');
    value.chars().count() > 6
        && has(|c| c.is_ascii_digit())
        && has(char::is_lowercase)
        && (value.chars().skip(1).any(char::is_uppercase) || value.contains(is_sign))
}

// `lantern4812`, `Lantern_77x`: a word of five letters or more, then two digits or more.
fn is_word_and_number(value: &str) -> bool {
    let word = value.chars().take_while(|c| c.is_alphabetic()).count();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    word > 4 && digits > 1 && value.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let scan = Scanner::new(text);
        let mut found: Vec<_> =
            scan.fields().iter().filter_map(|field| Password.labelled(&scan, field)).collect();
        Password.find(&scan, &mut found);
        found.dedup_by_key(|found| found.span);
        found.iter().map(|found| found.span.of(text)).collect()
    }

    #[test]
    fn a_password_after_its_name_is_found_in_any_language() {
        for (text, password) in [
            ("password: hunter2!", "hunter2!"),
            ("pw: hunter2hunter2", "hunter2hunter2"),
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
            ("ssh jdoe@host # pw is lantern4812, change it", "lantern4812"),
            ("network Loft, password lantern4812. Bye", "lantern4812"),
            ("wifi password Lantern_77x upstairs", "Lantern_77x"),
            ("La contraseña de jdoe es farol3711, sí", "farol3711"),
            ("login,passwd\njdoe,hunter2!", "hunter2!"),
            ("the ftp login is jdoe / hunter#2", "hunter#2"),
            ("jelszó: hunter2!", "hunter2!"),
            ("Salasanani on hunter#2", "hunter#2"),
            ("Pwd=hunter2!;Database=shop", "hunter2!"),
            ("CREATE ROLE jdoe LOGIN PASSWORD 'hunterly'", "hunterly"),
            ("ENV DB_PASSWORD hunterly", "hunterly"),
            ("host=db password=hunterly dbname=shop", "hunterly"),
            ("password=hunterly # of the shop", "hunterly"),
            ("default login jdoe password hunterly", "hunterly"),
            ("Пароль — hunter22", "hunter22"),
            ("<Password value=\"hunterly\"/>", "hunterly"),
            ("PGPASSWORD=hunterly psql -h db", "hunterly"),
            ("<password>hunterly</password> for db", "hunterly"),
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
            "password: 'New password (optional)',",
            "password = auth[2]",
            "let password: &'static [u8] = x;",
            "Passwort ändern: Einstellungen öffnen",
            "contraseña: requerida",
            "пароль: обязателен",
            "password: !vault |",
            "password: @Value(\"${x}\")",
            "Choose a password 8 characters long",
            "pw is reset",
            "The password for everyone is changed",
            "Use password policy 2024",
            "password 电话[at]1",
            "password: [REDACTED]",
            "reset your password: https://example.com/reset",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
