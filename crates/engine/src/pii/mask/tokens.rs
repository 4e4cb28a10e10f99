//! Reads token markers that a model may have rewritten.
//!
//! The identifier of a token decides. Case, brackets, escapes and blanks around and inside a marker may differ from
//! what was written, so a reading is only a candidate until its identifier is known. The type may be a custom one, whose
//! name may be anything that type names are made of.

mod custom;
mod open;

use std::sync::LazyLock;

pub(crate) use open::open_token;

use aho_corasick::AhoCorasick;

use super::marker::TOKEN_LENGTH;
use crate::{pii::types::PII_TYPES, span::Span};

/// What may be between two characters of a marker, in lower case.
const GAPS: [&str; 29] = [
    "_", " ", "\\u005f", "\\", "\n", "\r", "\t", "-", "*", "+", "\\n", "%5f", "%20", "%0a", "&#95;",
    "&#x5f;", "&lowbar;", "&nbsp;", "&#32;", "<br>", "<wbr>", "\u{ff3f}", "\u{a0}", "\u{ad}", "\u{200b}",
    "\u{200c}", "\u{200d}", "\u{2060}", "\u{feff}",
];
/// Gaps in a row at most.
const LONGEST_GAP: usize = 16;

/// Brackets around a marker, in lower case.
const BRACKETS: [(&str, &str); 27] = [
    ("\\[", "\\]"),
    ("[", "]"),
    ("\\(", "\\)"),
    ("(", ")"),
    ("\\<", "\\>"),
    ("<", ">"),
    ("\\{", "\\}"),
    ("{", "}"),
    ("%5b", "%5d"),
    ("%28", "%29"),
    ("%3c", "%3e"),
    ("%7b", "%7d"),
    ("&#91;", "&#93;"),
    ("&#x5b;", "&#x5d;"),
    ("&lbrack;", "&rbrack;"),
    ("&lsqb;", "&rsqb;"),
    ("&lt;", "&gt;"),
    ("&#60;", "&#62;"),
    ("&#40;", "&#41;"),
    ("\\u005b", "\\u005d"),
    ("\\u003c", "\\u003e"),
    ("\u{3010}", "\u{3011}"),
    ("\u{ff3b}", "\u{ff3d}"),
    ("\u{ff08}", "\u{ff09}"),
    ("\u{ff1c}", "\u{ff1e}"),
    ("\u{300c}", "\u{300d}"),
    ("\u{300a}", "\u{300b}"),
];

/// Letters and digits of the longest type name.
const LONGEST_KIND: usize = 32;

static WORD: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(["token"]).ok());

/// Type names without underscores.
static KINDS: LazyLock<Vec<String>> =
    LazyLock::new(|| PII_TYPES.iter().map(|kind| kind.name().replace('_', "")).collect());

/// Returns what may be token markers in `text`, including brackets, with their identifiers, ordered by the place of the
/// word `TOKEN`. Only the identifier shows which are, so they may overlap.
pub fn tokens_in(text: &str) -> Vec<(Span, String)> {
    let Some(word) = WORD.as_ref() else { return Vec::new() };
    word.find_iter(text).filter_map(|hit| token(text, Span::new(hit.start(), hit.end()))).collect()
}

/// Replaces every token marker that `lookup` knows by its value, and returns the number of replacements.
///
/// Markers are read whatever case, brackets, escapes or inner blanks a model gave them.
pub fn restore(text: &str, lookup: impl Fn(&str) -> Option<String>) -> (String, usize) {
    let mut restored = String::with_capacity(text.len());
    let (mut at, mut count) = (0, 0);
    for (span, id) in tokens_in(text) {
        let Some(value) = lookup(&id).filter(|_| span.start >= at) else { continue };
        restored.push_str(&text[at..span.start]);
        restored.push_str(&value);
        at = span.end;
        count += 1;
    }
    restored.push_str(&text[at..]);
    (restored, count)
}

/// Reads the marker around the word `TOKEN`.
fn token(text: &str, word: Span) -> Option<(Span, String)> {
    let (end, id) = id(text, word.end)?;
    let start = kind_start(text, word.start)?;
    let inner = Span::new(start, end);
    Some((with_brackets(text, inner).unwrap_or(inner), id))
}

/// Reads an identifier, and returns where it ends.
fn id(text: &str, start: usize) -> Option<(usize, String)> {
    let mut id = String::with_capacity(TOKEN_LENGTH);
    let mut at = start;
    while id.len() < TOKEN_LENGTH {
        at = gap_after(text, at);
        let letter = text.as_bytes().get(at)?.to_ascii_lowercase();
        if !is_id_letter(letter) {
            return None;
        }
        id.push(char::from(letter));
        at += 1;
    }
    (!text[at..].starts_with(|c: char| c.is_ascii_alphanumeric())).then_some((at, id))
}

const fn is_id_letter(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'2'..=b'7')
}

/// Returns where the type name begins that ends before `end`.
fn kind_start(text: &str, end: usize) -> Option<usize> {
    // Backwards, each with its place.
    let mut letters = [(0_u8, 0_usize); LONGEST_KIND];
    let mut count = 0;
    let mut at = end;
    while let Some(slot) = letters.get_mut(count) {
        let before = gap_before(text, at);
        let Some(letter) = text.as_bytes()[..before].last().filter(|byte| byte.is_ascii_alphanumeric())
        else {
            break;
        };
        at = before - 1;
        *slot = (letter.to_ascii_lowercase(), at);
        count += 1;
    }
    let letters = &letters[..count];
    let matches = |kind: &&String| {
        kind.len() <= letters.len()
            && kind.bytes().rev().eq(letters[..kind.len()].iter().map(|letter| letter.0))
    };
    let built_in = KINDS.iter().filter(matches).max_by_key(|kind| kind.len());
    let built_in =
        built_in.map(|kind| letters[kind.len() - 1].1).filter(|start| is_free_before(text, *start));
    let custom = custom::kind_start(text, end);
    // `customer_phone_number` is a type if a bracket is before it, else the end of it may be one.
    let custom = custom.filter(|start| built_in.is_none() || ends_in_bracket(&text[..*start]));
    custom.or(built_in).or_else(|| custom::bracketed_kind_start(text, end))
}

fn ends_in_bracket(text: &str) -> bool {
    BRACKETS.iter().any(|(open, _)| ends(text, open))
}

/// Returns whether no word goes on at `start`: a sign is before it, perhaps escaped.
fn is_free_before(text: &str, start: usize) -> bool {
    let before = &text[..start];
    !before.ends_with(|c: char| c.is_ascii_alphanumeric())
        || is_encoded(before)
        || gap_before(text, start) < start
        || ends_in_bracket(before)
}

/// Returns whether an encoded sign is at the end of `text`: `%5B`, `\u005b`.
fn is_encoded(text: &str) -> bool {
    let ends_in = |sign: &str, digits: usize| {
        let start = text.len().checked_sub(sign.len() + digits);
        let code = start.and_then(|start| text.get(start..)?.strip_prefix(sign));
        code.is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    ends_in("%", 2) || ends_in("\\u", 4)
}

/// Returns `inner` with the pair of brackets around it.
fn with_brackets(text: &str, inner: Span) -> Option<Span> {
    let before = text[..inner.start].trim_end_matches([' ', '\n', '\r', '\t']);
    let after = text[inner.end..].trim_start_matches([' ', '\n', '\r', '\t']);
    let blanks = Span::new(before.len(), text.len() - after.len());
    let is_near = inner.start - blanks.start <= LONGEST_GAP && blanks.end - inner.end <= LONGEST_GAP;
    let (open, close) = BRACKETS.iter().find(|(open, close)| ends(before, open) && begins(after, close))?;
    is_near.then(|| Span::new(blanks.start - open.len(), blanks.end + close.len()))
}

fn gap_after(text: &str, start: usize) -> usize {
    let mut at = start;
    for _ in 0..LONGEST_GAP {
        let Some(gap) = GAPS.iter().find(|gap| begins(&text[at..], gap)) else { break };
        at += gap.len();
    }
    at
}

fn gap_before(text: &str, end: usize) -> usize {
    let mut at = end;
    for _ in 0..LONGEST_GAP {
        let Some(gap) = GAPS.iter().find(|gap| ends(&text[..at], gap)) else { break };
        at -= gap.len();
    }
    at
}

fn begins(text: &str, lower: &str) -> bool {
    text.as_bytes().get(..lower.len()).is_some_and(|head| head.eq_ignore_ascii_case(lower.as_bytes()))
}

fn ends(text: &str, lower: &str) -> bool {
    let tail = text.len().checked_sub(lower.len()).map(|start| &text.as_bytes()[start..]);
    tail.is_some_and(|tail| tail.eq_ignore_ascii_case(lower.as_bytes()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ID: &str = "k3qzvmwtyahu5rnx2bce";

    fn restored(text: &str) -> String {
        restore(text, |id| (id == ID).then(|| "+43 1 9346712".to_owned())).0
    }

    #[test]
    fn a_rewritten_marker_is_restored() {
        for marker in [
            format!("[PHONE_NUMBER_TOKEN_{ID}]"),
            format!("[phone_number_token_{ID}]"),
            format!("[Phone_Number_Token_{}]", ID.to_uppercase()),
            format!("[ PHONE_NUMBER_TOKEN_{ID}\n]"),
            format!("[PHONE\\_NUMBER\\_TOKEN\\_{ID}]"),
            format!("\\[PHONE_NUMBER_TOKEN_{ID}\\]"),
            format!("PHONE_NUMBER_TOKEN_{ID}"),
            format!("(PHONE_NUMBER_TOKEN_{ID})"),
            format!("<PHONE_NUMBER_TOKEN_{ID}>"),
            format!("【PHONE_NUMBER_TOKEN_{ID}】"),
            format!("［PHONE NUMBER TOKEN {ID}］"),
            format!("%5BPHONE_NUMBER_TOKEN_{ID}%5d"),
            format!("%5bPHONE%5FNUMBER%5FTOKEN%5F{ID}%5D"),
            format!("&#91;PHONE&#95;NUMBER&lowbar;TOKEN_{ID}&#93;"),
            format!("&lt;PHONE_NUMBER_TOKEN_{ID}&gt;"),
            format!("\\u005bPHONE_NUMBER_TOKEN_{ID}\\u005d"),
            format!("[PHONE_NUMBER_TOKEN_{} {}]", &ID[..7], &ID[7..]),
            format!("[PHONE_NUMBER_TOKEN_{}\r\n  {}]", &ID[..7], &ID[7..]),
            format!("[PHONE_NUMBER_\u{200b}TOKEN_{ID}]"),
        ] {
            assert_eq!(restored(&format!("dial {marker}, now")), "dial +43 1 9346712, now", "{marker}");
        }
    }

    #[test]
    fn signs_around_a_marker_stay() {
        let marker = format!("[PHONE_NUMBER_TOKEN_{ID}]");
        for (around, expected) in [
            (format!("**{marker}**"), "**+43 1 9346712**"),
            (format!("`{marker}`'s"), "`+43 1 9346712`'s"),
            (format!("{{\"tel\":\"{marker}\"}}"), "{\"tel\":\"+43 1 9346712\"}"),
            (format!("([me](tel:{marker}))"), "([me](tel:+43 1 9346712))"),
            (format!("<td>PHONE_NUMBER_TOKEN_{ID}</td>"), "<td>+43 1 9346712</td>"),
            (format!("(the PHONE_NUMBER_TOKEN_{ID}"), "(the +43 1 9346712"),
            (format!("?to=mail%3A{marker}&x=1"), "?to=mail%3A+43 1 9346712&x=1"),
            (format!("?to=tel%3APHONE_NUMBER_TOKEN_{ID}&x=1"), "?to=tel%3A+43 1 9346712&x=1"),
            (format!("phone token {marker}"), "phone token +43 1 9346712"),
            (format!("a url token: URL token {marker}"), "a url token: URL token +43 1 9346712"),
        ] {
            assert_eq!(restored(&around), expected);
        }
    }

    #[test]
    fn a_marker_of_a_custom_type_is_restored() {
        for marker in [
            format!("[EMPLOYEE_ID_TOKEN_{ID}]"),
            format!("[employee_id_token_{ID}]"),
            format!("[CUSTOMER_PHONE_NUMBER_TOKEN_{ID}]"),
            format!("[ACCESS_TOKEN_TOKEN_{ID}]"),
            format!("[X9_TOKEN_{ID}]"),
            format!("[EMPLOYEE\\_ID\\_TOKEN\\_{ID}]"),
            format!("%5BEMPLOYEE%5FID%5FTOKEN%5F{ID}%5D"),
            format!("&#91;EMPLOYEE&#95;ID&lowbar;TOKEN_{ID}&#93;"),
            format!("EMPLOYEE_ID_TOKEN_{ID}"),
            format!("(Employee-Id-Token-{ID})"),
            format!("[EMPLOYEE NUMBER TOKEN {ID}]"),
            format!("\\u005bEMPLOYEE\\u005fID_TOKEN_{ID}\\u005d"),
        ] {
            assert_eq!(restored(&format!("ask {marker}, now")), "ask +43 1 9346712, now", "{marker}");
        }
        assert_eq!(restored(&format!("\\nEMPLOYEE_ID_TOKEN_{ID}")), "\\n+43 1 9346712");
    }

    #[test]
    fn unknown_and_longer_identifiers_are_left() {
        for text in [
            format!("[PHONE_NUMBER_TOKEN_{}]", ID.replace('k', "l")),
            format!("[PHONE_NUMBER_TOKEN_{ID}a]"),
            format!("[{}_TOKEN_{ID}]", "A".repeat(41)),
            format!("an EMPLOYEE NUMBER TOKEN {ID}"),
            "the token abcdefghijklmnopqrstuvwxyz of an email token".to_owned(),
        ] {
            assert_eq!(restored(&text), text);
        }
    }

    proptest! {
        #[test]
        fn any_text_around_a_marker_stays(before in "\\PC{0,20}", after in "\\PC{0,20}") {
            let value = "+43 1 9346712";
            let text = format!("{before}|[PHONE_NUMBER_TOKEN_{ID}]|{after}");
            prop_assert_eq!(restored(&text), format!("{before}|{value}|{after}"));
        }

        #[test]
        fn no_text_makes_reading_panic(text in "([a-zA-Z_ \\[\\]%&#;]|token|TOKEN_|email|é|%5B){0,40}") {
            let _ = tokens_in(&text);
        }
    }
}
