//! Secrets recognized by their structure: JSON Web Tokens, PEM private keys, URLs with a password.

use memchr::memmem;

use super::entropy::is_placeholder;
use crate::{pii::Match, span::Span, text::char_boundary};

/// Longest PEM block and token that is followed, in bytes.
const LONGEST: usize = 16_384;

/// Longest user and password of a URL, in bytes.
const USERINFO: usize = 256;

/// Passwords of examples.
const EXAMPLES: [&str; 8] = ["password", "pass", "pwd", "passwd", "secret", "token", "user", "postgres"];

/// Adds the secrets in `text`.
pub fn find(text: &str, found: &mut Vec<Match>) {
    tokens(text, found);
    private_keys(text, found);
    connections(text, found);
}

// RFC 7519: three parts in base64url; the first is a JSON object, so it begins with `eyJ`.
fn tokens(text: &str, found: &mut Vec<Match>) {
    let mut done = 0;
    for start in memmem::find_iter(text.as_bytes(), b"eyJ") {
        if start < done {
            continue;
        }
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        done = start + text[start..].bytes().take(LONGEST).take_while(part).count();
        let token = text[start..done].trim_end_matches('.');
        let mut parts = token.split('.');
        if parts.clone().count() == 3 && parts.all(|part| part.len() >= 10) {
            found.push(Match { span: Span::new(start, start + token.len()), confidence: 0.99 });
        }
    }
}

// RFC 7468: the whole block, or all there is of it.
fn private_keys(text: &str, found: &mut Vec<Match>) {
    let mut done = 0;
    for start in memmem::find_iter(text.as_bytes(), b"-----BEGIN ") {
        let block = &text[start..char_boundary::floor(text, start + LONGEST)];
        let head = block.lines().next().unwrap_or_default();
        if start >= done && head.contains("PRIVATE KEY-----") {
            let foot = block
                .find("-----END ")
                .and_then(|foot| Some(foot + 9 + block[foot + 9..].find("-----")? + 5));
            done = start + foot.unwrap_or(block.trim_end().len());
            found.push(Match { span: Span::new(start, done), confidence: 0.99 });
        }
    }
}

// RFC 3986, 3.2.1: `scheme://user:password@host`.
fn connections(text: &str, found: &mut Vec<Match>) {
    for colon in memmem::find_iter(text.as_bytes(), b"://") {
        let scheme_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'+';
        let scheme = text[..colon].bytes().rev().take(24).take_while(scheme_part).count();
        let rest = &text[colon + 3..];
        if scheme == 0 || memchr::memchr(b'@', &rest.as_bytes()[..rest.len().min(USERINFO)]).is_none() {
            continue;
        }
        let whole = connection(&rest[..char_boundary::floor(rest, 512)]);
        if holds_password(whole) {
            found.push(Match { span: Span::new(colon - scheme, colon + 3 + whole.len()), confidence: 0.95 });
        }
    }
}

fn connection(rest: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>');
    rest.find(ends).map_or(rest, |end| &rest[..end]).trim_end_matches(['.', ',', ';', ')'])
}

fn holds_password(rest: &str) -> bool {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let password = authority
        .rsplit_once('@')
        .and_then(|(userinfo, _)| userinfo.split_once(':'))
        .map_or("", |(_, password)| password);
    password.len() >= 4
        && !EXAMPLES.contains(&password.to_ascii_lowercase().as_str())
        && !is_placeholder(password)
        && !password.contains("${")
}
