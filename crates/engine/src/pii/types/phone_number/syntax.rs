//! Syntax of phone numbers, before any numbering plan is checked.

use super::{LONGEST, SHORTEST, labelled};
use crate::{pii::candidate::edges, span::Span};

/// What the form of a number says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `+` and a calling code.
    International,
    /// `00` and a calling code.
    Prefixed,
    /// `(AAA) BBB-CCCC`, `AAA-BBB-CCCC` or `AAA.BBB.CCCC`, perhaps after `1` or `001`.
    NorthAmerican,
    /// `BBB-CCCC`.
    Local,
    /// Digits, grouped or not.
    Plain,
}

/// Digits with the separators that telephone numbers have.
#[derive(Debug)]
pub struct Written {
    /// Where, with `+` or parenthesis before.
    pub span: Span,
    /// Where the extension behind it ends (`x4673`, `ext. 12`); the end of `span` where there is none.
    pub end: usize,
    /// The digits, an optional trunk `(0)` after a calling code left out.
    pub digits: String,
}

impl Written {
    /// What is written around the first digit at `digit`, beginning nowhere before `floor`.
    pub fn read(text: &str, digit: usize, floor: usize) -> Self {
        let start = start(text, digit, floor);
        let (mut start, mut end) = (start, digit);
        let mut gap = 0;
        for (place, c) in text[digit..].char_indices() {
            gap = if c.is_ascii_digit() { 0 } else { gap + 1 };
            if gap > 2 || !(c.is_ascii_digit() || is_separator(c)) {
                break;
            }
            if gap == 0 {
                end = digit + place + 1;
            }
        }
        // A parenthesis around the whole is none of it.
        if text[start..end].starts_with('(') && !text[start..end].contains(')') {
            start += 1;
        }
        Self::of(text, Span::new(start, end))
    }

    fn of(text: &str, span: Span) -> Self {
        let written = span.of(text);
        let international = is_international(written) && written.contains("(0)");
        let keep = |written: &str| written.chars().filter(char::is_ascii_digit).take(64).collect();
        let digits = if international { keep(&written.replacen("(0)", "", 1)) } else { keep(written) };
        Self { span, end: extension(text, span.end).unwrap_or(span.end), digits }
    }

    /// The whole, and what is left without the last one or two groups behind a blank: they may be another number.
    pub fn readings(self, text: &str) -> Vec<Self> {
        let start = self.span.start;
        let is_free = edges::stands_free_before(text, start) || labelled::is_joined(text, start);
        if self.digits.len() < SHORTEST || !is_free {
            return Vec::new();
        }
        let written = self.span.of(text);
        let shorter = written
            .rmatch_indices(' ')
            .take(if is_even(written) { 0 } else { 2 })
            .map(|(blank, _)| written[..blank].trim_end().len());
        let ends: Vec<usize> = std::iter::once(written.len()).chain(shorter).collect();
        ends.into_iter()
            .map(|length| Self::of(text, Span::new(self.span.start, self.span.start + length)))
            .collect()
    }

    /// The shape, unless it is that of something else (a date, a decimal, an ISBN, an order).
    pub fn shape(&self, text: &str) -> Option<Shape> {
        let written = self.span.of(text);
        let fits = (SHORTEST..=LONGEST).contains(&self.digits.len());
        let free =
            self.end > self.span.end || edges::stands_free_after(text, self.span.end, self.digits.len());
        if !fits || !free || !is_balanced(written) {
            return None;
        }
        let groups: Vec<&str> = self.groups(text).collect();
        let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
        if is_international(written) {
            return Some(Shape::International);
        }
        (!is_something_else(written, &groups, &lengths)).then(|| shape(written, &lengths, &self.digits))
    }

    /// The groups of digits, in order.
    pub fn groups<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> + Clone {
        let groups = self.span.of(text).split(|c: char| !c.is_ascii_digit());
        groups.filter(|group| !group.is_empty())
    }

    /// Returns whether it is written as one dials at home: with a trunk prefix or an area code in parentheses.
    pub fn is_dialed(&self, text: &str) -> bool {
        self.digits.starts_with('0')
            || self.span.of(text).contains('(')
            || (self.digits.len() == 11 && self.span.of(text).starts_with("8 "))
    }

    /// Whether it has the area code that films and examples use.
    pub fn is_fictional(&self) -> bool {
        self.digits.strip_prefix('1').unwrap_or(&self.digits).starts_with("555")
    }
}

/// Where the extension ends that begins at `at`.
fn extension(text: &str, at: usize) -> Option<usize> {
    let rest = text[at..].trim_start_matches([' ', ',']);
    let blanks = text.len() - at - rest.len();
    let word = ["extension", "ext.", "extn.", "ext", "extn", "x"]
        .into_iter()
        .find(|word| rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))?;
    let number = rest[word.len()..].trim_start_matches(' ');
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let goes_on = number[digits..].starts_with(|c: char| c.is_alphanumeric());
    let end = text.len() - number.len() + digits;
    (blanks <= 2 && (1..=6).contains(&digits) && !goes_on).then_some(end)
}

fn start(text: &str, digit: usize, floor: usize) -> usize {
    let mut start = digit;
    for sign in ['(', '+', '('] {
        let before = text[floor..start].trim_end_matches(' ');
        let near = start - floor - before.len() <= usize::from(sign == '+');
        if near && before.ends_with(sign) {
            start = floor + before.len() - 1;
        }
    }
    start
}

fn is_international(written: &str) -> bool {
    written.trim_start_matches('(').starts_with('+')
}

fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '-' | '.' | '/' | '(' | ')' | '\u{a0}' | '\u{2010}'..='\u{2013}')
}

// Groups of equal length are one number: a card's, an account's.
fn is_even(written: &str) -> bool {
    let mut lengths = written.split(' ').map(str::len);
    let first = lengths.next();
    lengths.all(|length| Some(length) == first)
}

fn is_balanced(written: &str) -> bool {
    let count = |sign| written.matches(sign).count();
    count('(') == count(')') && count('(') <= 1
}

fn shape(written: &str, lengths: &[usize], digits: &str) -> Shape {
    let dressed = written.contains(['-', '.']) || written.contains('(');
    match lengths {
        [3, 3, 4] | [1 | 3, 3, 3, 4] if dressed && is_north_american(lengths, digits) => Shape::NorthAmerican,
        [3, 4] if written.contains('-') => Shape::Local,
        _ if digits.starts_with("00") && digits.len() > SHORTEST + 2 => Shape::Prefixed,
        _ => Shape::Plain,
    }
}

// Area codes begin with 2 to 9 (North American Numbering Plan).
fn is_north_american(lengths: &[usize], digits: &str) -> bool {
    let called = digits.strip_prefix("00").unwrap_or(digits);
    let national = if lengths.len() == 4 {
        called.strip_prefix('1').filter(|rest| rest.len() == 10)
    } else {
        Some(digits)
    };
    national.is_some_and(|national| national.starts_with(|first| ('2'..='9').contains(&first)))
}

fn is_something_else(written: &str, groups: &[&str], lengths: &[usize]) -> bool {
    let is_year = |group: &str| group.len() == 4 && (group.starts_with("19") || group.starts_with("20"));
    match groups {
        [] => true,
        _ if is_address(written, lengths) || are_amounts(written, groups, lengths) => true,
        [year, _, _] if is_year(year) && lengths[1] <= 2 && lengths[2] <= 2 => true,
        [_, _, year] if lengths[0] <= 2 && lengths[1] <= 2 && (is_year(year) || lengths[2] == 2) => true,
        [from, to] if is_year(from) && is_year(to) => true,
        // A decimal begins with one nought, a number dialled at home with one and more.
        [whole, _] if written.contains('.') && !written.contains(['-', ' ', '/', '(']) => {
            !whole.starts_with('0') || whole.len() == 1
        }
        ["978" | "979", ..] => lengths.iter().sum::<usize>() == 13,
        _ => lengths.iter().all(|length| *length <= 1),
    }
}

// An address of the internet; some countries write their numbers as four pairs.
fn is_address(written: &str, lengths: &[usize]) -> bool {
    lengths.len() == 4
        && lengths.iter().any(|length| *length != 2)
        && written.parse::<std::net::Ipv4Addr>().is_ok()
}

// Years, or round numbers, in a row: `2024 2025 2026`, `100 200 4000`.
fn are_amounts(written: &str, groups: &[&str], lengths: &[usize]) -> bool {
    let is_year = |group: &&str| group.len() == 4 && (group.starts_with("19") || group.starts_with("20"));
    let is_round = |group: &&str| group.ends_with('0') && !group.starts_with('0');
    let is_row = groups.len() > 1 && written.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ');
    is_row
        && (groups.iter().all(is_year)
            || (groups.len() > 2 && lengths != [3, 3, 3] && groups.iter().all(is_round)))
}
