//! Degrees, minutes and seconds: `40°42'46"N 74°00'21"W` (ISO 6709, annex D).

use std::sync::LazyLock;

use regex::Regex;

use crate::{pii::Match, regex::pattern, span::Span, text::char_boundary};

/// Longest such place, in bytes.
const LONGEST: usize = 80;

static FORM: LazyLock<Regex> = LazyLock::new(|| {
    let angle = r#"[0-9]{1,3}\s?°\s?[0-9]{1,2}(?:\.[0-9]+)?\s?['’′]\s?(?:[0-9]{1,2}(?:\.[0-9]+)?\s?(?:["”″]|''|′′)\s?)?"#;
    pattern(&format!("^{angle}[NSns][,;]?[ ]{{0,2}}{angle}[EWOewo]"))
});

/// Adds the places written in degrees and minutes.
pub fn find(text: &str, found: &mut Vec<Match>) {
    let mut done = 0;
    for sign in memchr::memmem::find_iter(text.as_bytes(), "°") {
        let digits = text[done.min(sign)..sign]
            .bytes()
            .rev()
            .skip_while(|byte| *byte == b' ')
            .take_while(u8::is_ascii_digit)
            .count();
        let blanks = text[..sign].len() - text[..sign].trim_end_matches(' ').len();
        let start = sign - (digits + blanks).min(sign);
        let reach = char_boundary::floor(text, start + LONGEST);
        if start < done {
            continue;
        }
        let Some(hit) = FORM.find(&text[start..reach]) else { continue };
        done = start + hit.end();
        found.push(Match { span: Span::new(start, done), confidence: 0.95 });
    }
}
