//! Keys with a prefix of their issuer, in the formats that the issuers document.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::entropy::is_placeholder;
use crate::{pii::Match, span::Span};

// A prefix, the fewest and the most characters (letters, digits, `_`, `-`, and `.` where dots join parts) after it.
type Form = (&'static str, usize, usize);

const FORMS: [Form; 44] = [
    ("AKIA", 16, 16),
    ("ASIA", 16, 16),
    ("ABIA", 16, 16),
    ("ACCA", 16, 16), // Amazon
    ("ghp_", 36, 251),
    ("gho_", 36, 251),
    ("ghu_", 36, 251),
    ("ghs_", 36, 251),
    ("ghr_", 36, 251),
    ("github_pat_", 40, 251),
    ("glpat-", 20, 64),
    ("gldt-", 20, 64),
    ("glrt-", 20, 64),
    ("xoxb-", 20, 251),
    ("xoxp-", 20, 251),
    ("xoxa-", 20, 251),
    ("xoxr-", 20, 251),
    ("xoxs-", 20, 251),
    ("xapp-", 20, 251), // Slack
    ("sk_live_", 16, 251),
    ("sk_test_", 16, 251),
    ("rk_live_", 16, 251),
    ("rk_test_", 16, 251),
    ("whsec_", 16, 251), // Stripe
    ("AIza", 30, 45),
    ("GOCSPX-", 24, 40),
    ("ya29.", 30, 251), // Google
    ("sk-proj-", 20, 251),
    ("sk-ant-", 20, 251),
    ("sk-or-v1-", 20, 251),
    ("sk-", 20, 251),
    ("gsk_", 20, 100),
    ("hf_", 30, 60),
    ("r8_", 30, 60),
    ("npm_", 36, 60),
    ("pypi-", 30, 300),
    ("dckr_pat_", 20, 60),
    ("SG.", 40, 80),
    ("shpat_", 32, 40),
    ("dop_v1_", 60, 70),
    ("hvs.", 24, 200),
    ("PMAK-", 40, 80),
    ("lin_api_", 32, 60),
    ("ge_", 32, 251), // this product's own
];

static PREFIXES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let kind = aho_corasick::MatchKind::LeftmostLongest;
    AhoCorasick::builder().match_kind(kind).build(FORMS.map(|form| form.0)).ok()
});

/// Adds the keys in `text`.
pub fn find(text: &str, found: &mut Vec<Match>) {
    let Some(prefixes) = PREFIXES.as_ref() else { return };
    let mut done = 0;
    for hit in prefixes.find_iter(text).filter(|hit| begins_token(text, hit.start())) {
        if hit.start() < done {
            continue;
        }
        let form = FORMS[hit.pattern().as_usize()];
        done = hit.end() + length(form, &text[hit.end()..]);
        if is_key(form, &text[hit.end()..done]) {
            found.push(Match { span: Span::new(hit.start(), done), confidence: 0.98 });
        }
    }
}

fn begins_token(text: &str, start: usize) -> bool {
    !text[..start].ends_with(|c: char| c.is_ascii_alphanumeric())
}

fn length((prefix, ..): Form, rest: &str) -> usize {
    let joins = |byte: &u8| !is_upper_only(prefix) && matches!(byte, b'_' | b'-' | b'.');
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || joins(byte);
    let length = rest.bytes().take(512).take_while(part).count();
    rest[..length].trim_end_matches(['.', '-', '_']).len()
}

/// Whether only capitals and digits follow the prefix.
fn is_upper_only(prefix: &str) -> bool {
    prefix.len() == 4 && (prefix.ends_with("IA") || prefix == "ACCA")
}

fn is_key((prefix, fewest, most): Form, rest: &str) -> bool {
    let has_both =
        rest.bytes().any(|byte| byte.is_ascii_digit()) && rest.bytes().any(|byte| byte.is_ascii_alphabetic());
    let in_form = if is_upper_only(prefix) {
        rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
    } else {
        has_both && has_long_part(rest)
    };
    (fewest..=most).contains(&rest.len()) && in_form && !is_placeholder(rest)
}

// Keys have a long random part; names in code are short words.
fn has_long_part(rest: &str) -> bool {
    rest.split(['-', '_', '.']).any(|part| part.len() >= 10 && part.bytes().any(|byte| byte.is_ascii_digit()))
}
