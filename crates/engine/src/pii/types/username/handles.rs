//! Handles with an at sign, in prose and in sign-in lines.

use super::is_name;
use crate::{
    pii::{Match, nearby},
    span::Span,
};

/// Confidence of a handle in prose; worth masking, not worth stopping a text.
const HANDLE: f32 = 0.5;
/// Confidence of a name before a host.
const SIGNED_IN: f32 = 0.6;
/// Bytes on both sides that must read as prose, and in which a command stands.
const PROSE: usize = 32;
const COMMAND: usize = 64;
/// Tags of documentation and rules of style sheets that a lower-case word of prose may follow.
const TAGS: [&str; 32] = [
    "param",
    "return",
    "returns",
    "throws",
    "see",
    "since",
    "author",
    "deprecated",
    "media",
    "import",
    "supports",
    "page",
    "layer",
    "container",
    "type",
    "typedef",
    "property",
    "todo",
    "brief",
    "file",
    "note",
    "override",
    "class",
    "interface",
    "end",
    "if",
    "else",
    "example",
    "private",
    "public",
    "internal",
    "version",
];
/// Names under which programs and everybody sign in.
pub(super) const SHARED: [&str; 24] = [
    "git",
    "root",
    "admin",
    "ubuntu",
    "debian",
    "ec2-user",
    "user",
    "username",
    "host",
    "deploy",
    "centos",
    "vagrant",
    "name",
    "me",
    "postgres",
    "mysql",
    "nginx",
    "www-data",
    "nobody",
    "guest",
    "default",
    "system",
    "assistant",
    "administrator",
];

/// `@name` among the words of a sentence, no decorator, annotation, variable or package.
pub(super) fn in_prose(text: &str, at: usize) -> Option<Match> {
    let (before, after) = (&text[..at], &text[at + 1..]);
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let length = after.bytes().take(32).take_while(part).count();
    let name = after[..length].trim_end_matches('.');
    let rest = &after[name.len()..];
    let begins = before.is_empty() || before.ends_with([' ', '\n', '(']);
    let ends = rest.is_empty() || rest.starts_with([' ', ',', '!', '?', '.', ')', ':', '\n', '\'']);
    let is_word =
        |byte: u8| byte.is_ascii_lowercase() || byte == b'_' || byte == b'.' || byte.is_ascii_digit();
    let is_written = name.bytes().all(is_word) || name.bytes().any(|byte| byte.is_ascii_digit());
    let is_one = (4..=30).contains(&name.len()) && begins && ends && is_written && is_name(name);
    let is_person = is_one && !TAGS.contains(&name) && is_prose(before, rest);
    is_person.then(|| Match { span: Span::new(at, at + 1 + name.len()), confidence: HANDLE })
}

/// Returns whether small words stand beside, and no sign of a program near.
fn is_prose(before: &str, rest: &str) -> bool {
    let (before, rest) = (nearby::before(before, before.len(), PROSE), nearby::after(rest, 0, PROSE));
    let is_code = |c: char| {
        matches!(c, '=' | ';' | '{' | '}' | '<' | '>' | '[' | ']' | '\\' | '$' | '`' | '*' | '#' | '/' | '|')
    };
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_small = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let word_before = line.trim_end().rsplit(' ').next().unwrap_or_default();
    let line_behind = rest.split('\n').next().unwrap_or_default();
    let mut words_behind = line_behind.split([' ', ',']).filter(|word| !word.is_empty());
    let goes_on = words_behind.next().is_some_and(is_small) && words_behind.next().is_some_and(is_small);
    let is_told = is_small(word_before.trim_end_matches([',', '!', ':']));
    !before.contains(is_code)
        && !rest.contains(is_code)
        && (goes_on || (is_told && line.len() > word_before.len() + 1))
}

/// `name` in `ssh name@host`.
pub(super) fn signed_in(text: &str, at: usize) -> Option<Match> {
    let before = nearby::before(text, at, COMMAND);
    let line = before.rsplit('\n').next()?;
    let is_command =
        ["ssh ", "scp ", "sftp ", "rsync ", "ssh-copy-id "].iter().any(|command| line.contains(command));
    let name = is_command.then(|| line.rsplit([' ', '/', '"', '\'', ':']).next())??;
    let is_host = text[at + 1..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[');
    let is_private = is_host && is_name(name) && !SHARED.contains(&name);
    is_private.then(|| Match { span: Span::new(at - name.len(), at), confidence: SIGNED_IN })
}
