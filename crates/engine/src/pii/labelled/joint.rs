//! The joint between a label and its value: endings, quotes and tags, a sign or a verb.

use super::labels::{Label, is_number_word, is_verb};
use crate::{pii::nearby, span::Span};

/// The sign between a label and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `label: value`, `label = value`, `--label value`, `<label>value</label>`.
    Assigned,
    /// `label is value`.
    Stated,
    /// `label of something is value`.
    StatedLater,
    /// `label value`.
    Beside,
}

/// The place behind a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joint {
    pub sign: Sign,
    /// First byte of the value.
    pub value: usize,
    /// True if it is the text of an element.
    pub is_element: bool,
}

/// Longest ending of an inflected label, in characters.
const ENDING: usize = 3;
/// Letters from which a label may be inflected.
const INFLECTED: usize = 5;
/// Words between a label and its verb.
const WORDS: usize = 4;
/// Bytes in which such a verb stands.
const REACH: usize = 64;
/// Particles of languages without blanks that go before a value.
const PARTICLES: [char; 8] = ['是', 'は', '는', '은', '为', '為', 'が', '이'];

/// Returns where the key begins of which the label is the last part: `spring.datasource.` of a password.
pub(super) fn key_start(text: &str, label: Span) -> usize {
    const LONGEST: usize = 48;
    let before = nearby::before(text, label.start, LONGEST);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '[' | '$');
    label.start - (before.len() - before.trim_end_matches(is_part).len())
}

/// Returns where the word or key ends that the label begins or ends, and whether a particle says that the value follows; `None`
/// when the key goes on and is another one (`password_hash`).
pub(super) fn label_end(text: &str, label: Label) -> Option<(usize, bool)> {
    let written = label.span.of(text);
    let is_other_script = written.ends_with(|c: char| c >= '\u{590}');
    let rest = &text[label.span.end..];
    let is_ending = |c: char| c.is_alphabetic() && (c >= '\u{590}') == is_other_script;
    let ending: usize = rest.chars().take(ENDING + 1).take_while(|c| is_ending(*c)).map(char::len_utf8).sum();
    let letters = rest[..ending].chars().count();
    let may_be =
        letters <= ENDING && (is_other_script || letters == 0 || written.chars().count() >= INFLECTED);
    let is_lower = written.contains(char::is_lowercase);
    if !may_be || (is_lower && rest[..ending].contains(char::is_uppercase)) {
        return None;
    }
    let end = label.span.end + ending;
    let is_stated = rest[..ending].ends_with(PARTICLES);
    let end = number_words(text, end);
    (is_stated || !goes_on(&text[end..])).then_some((end, is_stated))
}

/// Skips words for a number, and a number of one or two digits: `account_no`, `password1`.
fn number_words(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    let word = rest.trim_start_matches([' ', '_', '-', '.']);
    let length =
        word.find(|c: char| !c.is_alphanumeric() && !matches!(c, '°' | 'º' | '№')).unwrap_or(word.len());
    let (word, behind) = word.split_at(length);
    let is_tight = rest.len() - behind.len() == length;
    let is_count = is_tight && (1..=2).contains(&length) && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = || !word.is_empty() && length <= 24 && is_number_word(&word.to_lowercase());
    if is_count || is_number() { text.len() - behind.strip_prefix('.').unwrap_or(behind).len() } else { end }
}

/// Returns whether the key goes on: `_hash`, `-reset`, `.length`, `Field`.
fn goes_on(rest: &str) -> bool {
    let mut rest = rest.chars();
    match rest.next() {
        Some('_' | '-' | '.' | '/') => rest.next().is_some_and(char::is_alphanumeric),
        Some('(' | '@') => true,
        Some(next) => next.is_alphanumeric() && next < '\u{590}',
        None => false,
    }
}

/// Reads what follows a label that ends at `end` and whose key begins at `key`.
pub(super) fn read(text: &str, key: usize, end: usize) -> Option<Joint> {
    let rest = &text[end..];
    let rest = remark(rest);
    let closed = rest.trim_start_matches(['"', '\'', '`', '*', '\\', ']']);
    let is_closed = closed.len() < rest.len();
    let blank = closed.trim_start_matches([' ', '\t', '\u{a0}']);
    if let Some(behind) = tag(text, key, closed) {
        return Some(Joint { sign: Sign::Assigned, value: text.len() - behind.len(), is_element: true });
    }
    let joint = |sign, behind: &str| {
        let behind = behind.trim_start_matches([' ', '\t', '\u{a0}']);
        Some(Joint { sign, value: text.len() - behind.len(), is_element: false })
    };
    if let Some(behind) = sign(blank) {
        return joint(Sign::Assigned, behind);
    }
    if text[..key].ends_with("--") || text[key..end].starts_with("--") {
        return (blank.len() < closed.len()).then(|| joint(Sign::Assigned, blank))?;
    }
    let is_other = blank.starts_with(['=', '<', '>', '|', '&', '+', '?']) || blank.starts_with("!=");
    if is_closed || is_other || blank.len() == closed.len() {
        return None;
    }
    stated(text, blank).or_else(|| joint(Sign::Beside, blank))
}

/// Skips a remark in brackets: `password (again):`.
fn remark(rest: &str) -> &str {
    const LONGEST: usize = 30;
    let remark = rest.strip_prefix(" (").and_then(|inner| {
        let length = nearby::after(inner, 0, LONGEST).find([')', '\n'])?;
        inner[length..].strip_prefix(')')
    });
    remark.filter(|behind| sign(behind.trim_start()).is_some()).unwrap_or(rest)
}

/// The text behind a colon, an equals sign or an arrow; comparisons and paths have none.
pub(super) fn sign(rest: &str) -> Option<&str> {
    let behind = [":=", "=>", ": =", "：", "＝"].iter().find_map(|sign| rest.strip_prefix(sign));
    let behind = behind.or_else(|| {
        let behind = rest.strip_prefix([':', '='])?;
        (!behind.starts_with([':', '=', '~']) && !behind.starts_with("//")).then_some(behind)
    });
    behind.map(|behind| block(behind).unwrap_or(behind))
}

/// Skips the sign of a block of YAML whose text is on the next line (YAML 1.2.2, section 8.1).
fn block(behind: &str) -> Option<&str> {
    let line = behind.trim_start_matches(' ').strip_prefix(['|', '>'])?;
    let line = line.strip_prefix(['-', '+']).unwrap_or(line);
    let next = line.strip_prefix('\n').or_else(|| line.strip_prefix("\r\n"))?;
    Some(next.trim_start_matches(' '))
}

/// The text behind the tag that the key opens (`<password>`) or is an attribute of (`<entry key="password">`).
fn tag<'t>(text: &'t str, key: usize, closed: &'t str) -> Option<&'t str> {
    const LONGEST: usize = 120;
    let behind = closed.trim_start().strip_prefix('>')?;
    let before = nearby::before(text, key, LONGEST);
    let open = before.rfind(['<', '>', '\n'])?;
    before[open..].starts_with('<').then_some(behind)
}

/// The value behind a verb, or behind a few words and a verb.
fn stated(text: &str, rest: &str) -> Option<Joint> {
    let reach = nearby::after(rest, 0, REACH);
    let mut start = 0;
    for count in 0..=WORDS {
        let word = reach[start..].split([' ', '\n']).next()?;
        let end = start + word.len();
        let bare = word.strip_suffix(':').unwrap_or(word);
        if count > 0 && word.ends_with(':') && bare.chars().all(char::is_alphabetic)
            || is_verb(&bare.to_lowercase())
        {
            let sign = if count == 0 { Sign::Stated } else { Sign::StatedLater };
            let behind = rest.get(end..)?.strip_prefix(' ')?;
            let behind = behind.strip_prefix("now ").unwrap_or(behind);
            return Some(Joint { sign, value: text.len() - behind.trim_start().len(), is_element: false });
        }
        if word.ends_with(['.', ',', ';', '!', '?']) || !reach[end..].starts_with(' ') {
            return None;
        }
        start = end + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::labelled::labels;

    fn joints(text: &str) -> Vec<(Sign, &str)> {
        let read = |label: Label| {
            let (end, _) = label_end(text, label)?;
            let joint = read(text, key_start(text, label.span), end)?;
            Some((joint.sign, &text[joint.value..]))
        };
        labels::all(text).filter_map(read).collect()
    }

    #[test]
    fn a_sign_a_tag_a_flag_and_a_verb_lead_to_the_value() {
        for (text, sign) in [
            ("password: x", Sign::Assigned),
            ("\"db_password\" : x", Sign::Assigned),
            ("cfg['password'] = x", Sign::Assigned),
            (":password => x", Sign::Assigned),
            ("password (again): x", Sign::Assigned),
            ("<password>x", Sign::Assigned),
            ("<entry key=\"db.password\">x", Sign::Assigned),
            ("run --db-password x", Sign::Assigned),
            ("password1=x", Sign::Assigned),
            ("password: |\n    x", Sign::Assigned),
            ("the password is x", Sign::Stated),
            ("Das Passwort lautet: x", Sign::Stated),
            ("the password of the door is x", Sign::StatedLater),
            ("PASSWORD x", Sign::Beside),
        ] {
            assert_eq!(joints(text), [(sign, "x")], "{text}");
        }
    }

    #[test]
    fn another_key_and_a_comparison_lead_nowhere() {
        for text in
            ["password_hash: x", "password.length = x", "passwordField = x", "password == x", "password(x)"]
        {
            assert_eq!(joints(text), [], "{text}");
        }
    }
}
