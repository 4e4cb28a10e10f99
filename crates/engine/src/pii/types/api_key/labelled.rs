//! Random-looking values after a label for secrets.

use memchr::memmem;

use super::entropy::is_random;
use crate::{
    pii::{Match, Scanner},
    span::Span,
};

const NAMES: [&str; 28] = [
    "api key",
    "apikey",
    "api token",
    "api secret",
    "app key",
    "app secret",
    "access key",
    "secret key",
    "secret access key",
    "account key",
    "accountkey",
    "shared access key",
    "client secret",
    "consumer secret",
    "access token",
    "auth token",
    "refresh token",
    "bearer token",
    "auth key",
    "secret",
    "token",
    "private key",
    "signing key",
    "encryption key",
    "master key",
    "subscription key",
    "clé api",
    "密钥",
];

/// Shortest and longest secret, in bytes.
const SHORTEST: usize = 16;
const LONGEST: usize = 200;

/// Adds the labelled secrets of the text.
pub fn find(scan: &Scanner<'_>, found: &mut Vec<Match>) {
    let labelled = scan.assignments().iter().filter(|found| found.is_labelled(&NAMES));
    let secrets = labelled.filter_map(|found| found.value(scan.text)).map(|value| value.span);
    found.extend(
        secrets.filter(|span| is_secret(span.of(scan.text))).map(|span| Match { span, confidence: 0.9 }),
    );
    found.extend(
        memmem::find_iter(scan.text.as_bytes(), b"earer ").filter_map(|place| bearer(scan.text, place + 6)),
    );
}

// RFC 6750, 2.1: `Bearer` and the token.
fn bearer(text: &str, start: usize) -> Option<Match> {
    let length = text[start..].bytes().take(LONGEST).take_while(|byte| is_part(*byte)).count();
    let token = text[start..start + length].trim_end_matches('.');
    is_secret(token).then(|| Match { span: Span::new(start, start + token.len()), confidence: 0.9 })
}

fn is_secret(value: &str) -> bool {
    (SHORTEST..=LONGEST).contains(&value.len()) && value.bytes().all(is_part) && is_random(value)
}

// Base64 in both alphabets (RFC 4648), hexadecimal, and the separators of tokens.
fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'+' | b'=' | b'~')
}
