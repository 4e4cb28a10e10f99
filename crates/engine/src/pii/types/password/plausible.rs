//! Tells passwords from prose and code.

use crate::pii::labelled::is_remark;

/// Values that say something about a password instead of being one, or are a type or a variable.
const TALK: [&str; 43] = [
    "none",
    "null",
    "nil",
    "string",
    "str",
    "true",
    "false",
    "input",
    "undefined",
    "hidden",
    "password",
    "passwd",
    "pwd",
    "pass",
    "text",
    "varchar",
    "char",
    "bool",
    "boolean",
    "bytes",
    "any",
    "secretstr",
    "forgot",
    "wrong",
    "redacted",
    "masked",
    "empty",
    "unknown",
    "missing",
    "yourpassword",
    "your_password",
    "your-password",
    "must",
    "should",
    "expired",
    "weak",
    "strong",
    "protected",
    "encrypted",
    "hashed",
    "config",
    "self",
    "example",
];

/// Names of methods that sentences about passwords give.
const METHODS: [&str; 9] = ["sha", "md5", "base64", "utf-", "utf8", "bcrypt", "argon2", "aes-", "pbkdf2"];

const LONGEST: usize = 128;
const SHORTEST: usize = 4;

/// How sure it is that `value` is a password; `stands_alone` when it is quoted or ends its line.
pub fn plausibility(value: &str, stands_alone: bool) -> Option<f32> {
    if !(SHORTEST..=LONGEST).contains(&value.chars().count())
        || is_talk(value)
        || is_code(value)
        || is_mask(value)
    {
        return None;
    }
    let digit = value.contains(|c: char| c.is_numeric());
    let letter = value.contains(char::is_alphabetic);
    let special = value
        .contains(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '\'' | '/' | '.' | ',' | '’'));
    match (letter, digit, special) {
        (true, true, _) | (true, _, true) | (_, true, true) => Some(0.9),
        (false, true, false) => Some(0.7),
        // A plain word is a password only where nothing else is said on its line.
        (true, false, false) if stands_alone && !value.contains(['.', '/']) => Some(0.6),
        _ => None,
    }
}

fn is_talk(value: &str) -> bool {
    let word = value.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let is_name = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b' '));
    let is_letters = !word.contains(|c: char| c.is_ascii_digit());
    let named = |label: &str| {
        word.ends_with(label) || is_letters && word.starts_with(label) || word.contains(&format!(" {label} "))
    };
    let is_variable = is_name && ["password", "passwd", "pwd"].iter().any(|label| named(label));
    // `New password (optional)`: what a form says.
    let is_said = word.contains(' ') && word.contains("password");
    is_variable
        || is_said
        || is_remark(&word)
        || TALK.contains(&word.as_str())
        || METHODS.iter().any(|method| word.starts_with(method))
}

// Calls, references, templates, links.
fn is_code(value: &str) -> bool {
    let opens = value.starts_with(['<', '{', '$', '[', '(', '%'])
        || ["&'", "&[", "&mut", "&str", "*const", "*mut", "__"].iter().any(|sign| value.starts_with(sign))
        || value.contains("::")
        || is_tag(value);
    let reference =
        value.contains("environ") || value.contains("env.") || value.contains("://") || is_member(value);
    opens || is_call(value) || value.contains("->") || value.contains("{{") || reference
}

// `!vault`: a tag of YAML.
fn is_tag(value: &str) -> bool {
    value.strip_prefix('!').is_some_and(|tag| tag.bytes().all(|byte| byte.is_ascii_lowercase()))
}

// `input()`, `form.get('p')`, also where the call goes on behind a blank.
fn is_call(value: &str) -> bool {
    let named = |at: usize| {
        value[..at].bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'@'))
    };
    value.find('(').is_some_and(named)
}

// `user.password`, `args[0]`: names joined by dots or subscripts.
fn is_member(value: &str) -> bool {
    let name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')
    };
    let is_index = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (object, rest) = value.split_once(['.', '[']).unwrap_or((value, ""));
    let mut parts = rest.trim_end_matches(']').split(['.', '[']);
    !rest.is_empty() && name(object) && parts.all(|part| name(part) || value.contains('[') && is_index(part))
}

fn is_mask(value: &str) -> bool {
    let mut characters = value.chars();
    let first = characters.next();
    characters.all(|c| Some(c) == first)
        || value.contains("***")
        || value.contains("...")
        || value.contains("xxx")
}
