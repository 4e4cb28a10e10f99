//! Credentials in the headers of requests and in files that hold them: `Authorization`, `Cookie`, `"auth"` of Docker.

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};

use super::{
    entropy::is_placeholder,
    labelled::{is_part, is_secret},
};
use crate::{
    pii::{labelled::Field, nearby},
    span::Span,
};

/// Longest header that is read, in bytes.
const LONGEST: usize = 4096;
/// Shortest credentials behind a scheme, and shortest session of a cookie, in bytes.
const SHORTEST: usize = 8;

/// Parameters that hold the proof of a scheme with parameters (RFC 7616, RFC 5849, Signature Version 4 of AWS).
const PROOFS: [&str; 4] = ["response=", "oauth_signature=", "Signature=", "signature="];
/// Names of cookies that hold a session.
const SESSIONS: [&str; 6] = ["sess", "sid", "auth", "token", "jwt", "remember"];

/// The credentials that a scheme (`Basic`, `Bearer`, `Token`, …) is followed by; without a scheme those that look drawn at random.
pub fn credentials(text: &str, field: &Field) -> Option<Span> {
    let start = field.value.span.start;
    let line = line(text, field);
    let (scheme, rest) = line.split_once(' ').unwrap_or(("", line));
    let is_scheme =
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let at = |part: &str| start + line.len() - part.len();
    if is_scheme && !field.is_weak {
        let rest = rest.trim_start();
        let proof = PROOFS.iter().find_map(|name| Some(&rest[rest.find(name)? + name.len()..]));
        let value = proof.map_or(rest, |proof| proof.trim_start_matches(['"', '\\']));
        return token(value)
            .filter(|token| is_credential(token))
            .map(|token| Span::new(at(value), at(value) + token.len()));
    }
    let token = token(line)?;
    (holds_user(token) || !field.is_weak && is_secret(token)).then(|| Span::new(start, start + token.len()))
}

/// The first value of a cookie that holds a session, up to the last.
pub fn cookie(text: &str, field: &Field) -> Option<Span> {
    let start = field.value.span.start;
    let line = line(text, field);
    let mut at = start;
    for pair in line.split(';') {
        let value = pair.split_once('=').map_or("", |(_, value)| value);
        let name = pair[..pair.len() - value.len()].to_ascii_lowercase();
        let is_session = SESSIONS.iter().any(|session| name.contains(session)) && is_credential(value);
        if token(value).is_some_and(|token| token.len() == value.len()) && (is_session || is_secret(value)) {
            return Some(Span::new(at + pair.len() - value.len(), at + pair.len()));
        }
        at += pair.len() + 1;
    }
    None
}

/// The quoted value, or the rest of the line or of the quotes around the header.
fn line<'t>(text: &'t str, field: &Field) -> &'t str {
    let value = field.value;
    if value.is_quoted {
        return value.span.of(text);
    }
    let reach = nearby::after(text, value.span.start, LONGEST);
    let is_inside = reach.find('\'').is_some_and(|quote| !reach[..quote].contains('"'));
    let end = reach.find(|c: char| matches!(c, '\n' | '\r') || (is_inside && c == '\''));
    reach[..end.unwrap_or(reach.len())].trim_end()
}

fn token(value: &str) -> Option<&str> {
    let length = value.bytes().take_while(|byte| is_part(*byte) || *byte == b'%').count();
    let token = value[..length].trim_end_matches(['.', ':']);
    (!token.is_empty()).then_some(token)
}

/// Returns whether it is no word and no template: eight characters or more, with a digit, a capital inside, or padding.
fn is_credential(token: &str) -> bool {
    let is_mixed = token.contains(|c: char| c.is_ascii_digit()) || token.ends_with('=') || {
        token.contains(char::is_lowercase) && token.chars().skip(1).any(char::is_uppercase)
    };
    token.len() >= SHORTEST && is_mixed && !is_placeholder(token)
}

/// Returns whether it is `user:password` in base64 (RFC 7617, section 2).
fn holds_user(token: &str) -> bool {
    let decoded = STANDARD_NO_PAD
        .decode(token.trim_end_matches('='))
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    token.len() >= SHORTEST
        && decoded
            .is_some_and(|text| text.contains(':') && !text.contains(char::is_control) && text.is_ascii())
}

#[cfg(test)]
mod tests {
    use crate::pii::{PiiType, Scanner, types::pii_type};

    fn found(text: &str) -> Vec<&str> {
        let scan = Scanner::new(text);
        let api_key: &dyn PiiType = pii_type("api_key").expect("a type");
        scan.fields()
            .iter()
            .filter_map(|field| api_key.labelled(&scan, field))
            .map(|found| found.span.of(text))
            .collect()
    }

    #[test]
    fn the_credentials_of_a_header_are_found_whatever_its_scheme() {
        for (text, secret) in [
            ("Authorization: Basic bW9zczpvdHRlci03N3g=", "bW9zczpvdHRlci03N3g="),
            ("proxy-authorization: Basic bW9zczpvdHRlci03N3g=\r\nHost: a", "bW9zczpvdHRlci03N3g="),
            ("-H 'Authorization: Token 7Hq2mZx9Lw' https://a", "7Hq2mZx9Lw"),
            (r#"{"Authorization": "ApiKey 7Hq2mZx9Lw"}"#, "7Hq2mZx9Lw"),
            (r#"{"name":"Authorization","value":"Basic bW9zczpvdHRlci03N3g="}"#, "bW9zczpvdHRlci03N3g="),
            (
                r#"Authorization: Digest username="a", nonce="b", response="8f14e45fceea167a5a36dedd4bea2543""#,
                "8f14e45fceea167a5a36dedd4bea2543",
            ),
            (r#"{"auths":{"r.example":{"auth":"bW9zczpvdHRlci03N3g="}}}"#, "bW9zczpvdHRlci03N3g="),
            (r#"{"name":"Cookie","value":"sid=7Hq2mZx9Lw4Kp8Rt"}"#, "7Hq2mZx9Lw4Kp8Rt"),
            ("Cookie: theme=dark; connect.sid=s7Hq2mZx9Lw4; lang=en", "s7Hq2mZx9Lw4"),
            ("Set-Cookie: JSESSIONID=7Hq2mZx9Lw4Kp8Rt; Path=/", "7Hq2mZx9Lw4Kp8Rt"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn templates_and_talk_of_headers_hold_no_credentials() {
        for text in [
            "Authorization: Bearer <token>",
            "Authorization: Basic ${CREDENTIALS_2}",
            "authorization: the user may read",
            "Set-Cookie: theme=dark; Path=/",
            "auth: required",
            "auth = OAuth2Session(client)",
            "headers = {'Authorization': f'Bearer {token}'}",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
