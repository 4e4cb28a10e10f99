//! Names under which people sign in or post.

use crate::pii::{Kind, Match, Scan, assignment::Assignment};

/// A user name given after a label (`username: jdoe`, `login=…`) or a handle after its network's name (`twitter: @jdoe`).
///
/// The word after `user` in a sentence or a chat transcript (`User: hello`) is none.
pub struct Username;

const NAMES: [&str; 28] = [
    "username",
    "user name",
    "user id",
    "userid",
    "login",
    "login name",
    "login id",
    "screen name",
    "handle",
    "nickname",
    "benutzername",
    "benutzerkennung",
    "nutzername",
    "nom d utilisateur",
    "identifiant",
    "nombre de usuario",
    "usuario",
    "nome de usuário",
    "usuário",
    "nome utente",
    "gebruikersnaam",
    "nazwa użytkownika",
    "имя пользователя",
    "логин",
    "用户名",
    "ユーザー名",
    "사용자명",
    "아이디",
];

const NETWORKS: [&str; 14] = [
    "twitter",
    "instagram",
    "telegram",
    "discord",
    "github",
    "skype",
    "snapchat",
    "tiktok",
    "mastodon",
    "reddit",
    "facebook",
    "threads",
    "insta",
    "推特",
];

const TALK: [&str; 34] = [
    "string",
    "str",
    "null",
    "none",
    "nil",
    "true",
    "false",
    "required",
    "optional",
    "text",
    "input",
    "undefined",
    "unknown",
    "username",
    "user",
    "login",
    "name",
    "varchar",
    "int",
    "integer",
    "number",
    "uuid",
    "anonymous",
    "here",
    "click",
    "your_username",
    "self",
    "request",
    "page",
    "failed",
    "success",
    "email",
    "password",
    "config",
];

impl Kind for Username {
    fn name(&self) -> &'static str {
        "username"
    }

    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Match>) {
        for assignment in scan.assignments() {
            if let Some(confidence) = judge(assignment, assignment.value.of(scan.text)) {
                found.push(Match { span: assignment.value, confidence });
            }
        }
    }
}

fn judge(assignment: &Assignment, value: &str) -> Option<f32> {
    let handle = value.strip_prefix('@').unwrap_or(value);
    if !is_name(handle) {
        return None;
    }
    let distinct = handle.contains(|c: char| c.is_ascii_digit() || matches!(c, '_' | '.' | '-'))
        || handle.len() < value.len();
    let labelled = || assignment.is_labelled(&NAMES);
    match (distinct, assignment.quoted || assignment.ends_line) {
        (true, _) if labelled() => Some(0.8),
        (false, true) if labelled() => Some(0.65),
        (true, _) if handle.len() < value.len() && assignment.is_labelled(&NETWORKS) => Some(0.85),
        _ => None,
    }
}

fn is_name(value: &str) -> bool {
    let in_form = value.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
    let is_talk = TALK.iter().any(|word| word.eq_ignore_ascii_case(value));
    // `request.user`, `user_input`: a variable, unless a digit stands in it.
    let is_member = ["request.", "user.", "self.", "this.", "user_", "req.", "args.", "data.", "config."]
        .iter()
        .any(|start| value.starts_with(start));
    (3..=32).contains(&value.chars().count())
        && in_form
        && value.starts_with(char::is_alphanumeric)
        && value.contains(char::is_alphabetic)
        && !is_talk
        && !is_member
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        Username.find(&Scan::new(text), &mut found);
        found.iter().map(|found| found.span.of(text)).collect()
    }

    #[test]
    fn a_name_after_its_label_is_found() {
        for (text, name) in [
            ("username: jdoe", "jdoe"),
            ("Login: j.doe42, please", "j.doe42"),
            ("\"userName\": \"maria_k\",", "maria_k"),
            ("user id = anna99;", "anna99"),
            ("Benutzername: kschmidt", "kschmidt"),
            ("用户名：liwei88", "liwei88"),
            ("логин: petrov77", "petrov77"),
            ("twitter: @jane_doe", "@jane_doe"),
        ] {
            assert_eq!(found(&text.replace('：', ":")), [name], "{text}");
        }
    }

    #[test]
    fn talk_transcripts_and_code_name_nobody() {
        for text in [
            "User: hello",
            "the user wants this",
            "login: click here to go on",
            "username: string",
            "username = request.form",
            "username=input()",
            "user: can you help?",
            "github: see the link",
            "username: <name>",
            "login failed: timeout",
            "handle: the lever of a door",
            "user_id: 42",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
