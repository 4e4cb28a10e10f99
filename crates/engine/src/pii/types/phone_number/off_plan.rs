//! Numbers outside every numbering plan that are written and labeled as phone numbers.

use std::ops::RangeInclusive;

use super::{
    labelled::Label,
    syntax::{Shape, Written},
};
use crate::pii::{Scanner, shape::is_placeholder};

/// Digits of such a number at least.
const SHORTEST: usize = 8;
/// Digits of such a number that nothing parts.
const UNBROKEN: RangeInclusive<usize> = 10..=11;
/// Digits of one with a `+` before it that nothing parts.
const CALLING: RangeInclusive<usize> = 11..=13;
/// Confidence where it is named a telephone number right before.
const NAMED: f32 = 0.7;
/// Confidence where something near it speaks of telephones, or a calling code alone does.
const NEAR: f32 = 0.6;

/// How sure the writing and the words around it make us.
pub(super) fn confidence(scan: &Scanner<'_>, written: &Written, shape: Shape, label: Label) -> Option<f32> {
    let digits = written.digits.as_str();
    let separators = Separators::of(written.span.of(scan.text));
    if digits.len() < SHORTEST
        || is_placeholder(digits)
        || label == Label::Other
        || is_measured(scan.text, written)
    {
        return None;
    }
    let is_named = label == Label::Phone;
    let is_dressed = shape == Shape::International && !separators.is_decimal;
    let is_prefixed = digits.starts_with('0') && separators.is_mixed;
    match () {
        () if is_named && separators.count == 0 => (UNBROKEN.contains(&digits.len())).then_some(NEAR),
        () if is_named && (!separators.is_decimal || digits.starts_with('0')) => Some(NAMED),
        () if is_dressed && separators.count > 1 => Some(NEAR),
        () if is_dressed && separators.count == 0 => (CALLING.contains(&digits.len())).then_some(NEAR),
        () if (is_dressed || is_prefixed) && scan.has_context("phone_number", written.span) => Some(NEAR),
        () => None,
    }
}

/// What parts the digits.
#[derive(Clone, Copy)]
struct Separators {
    count: usize,
    /// One point and nothing else.
    is_decimal: bool,
    /// Signs of two kinds.
    is_mixed: bool,
}

impl Separators {
    fn of(written: &str) -> Self {
        let body = written.trim_start_matches(['+', '(']);
        let signs = || body.chars().filter(|c| !c.is_ascii_digit());
        let is_decimal = signs().eq(['.']);
        let is_mixed = signs().any(|sign| Some(sign) != signs().next());
        Self { count: signs().count(), is_decimal, is_mixed }
    }
}

/// Whether it is rather an amount, or holds a date or hours.
pub(super) fn is_measured(text: &str, written: &Written) -> bool {
    let separators = Separators::of(written.span.of(text));
    let groups = || written.groups(text);
    let is_thousands =
        !separators.is_mixed && groups().skip(1).all(|group| group.len() == 3) && groups().count() > 2;
    let in_points = written.span.of(text).contains('.');
    let are_hours = groups().all(|group| group.len() == 2 && group < "60") && in_points;
    (is_thousands && in_points)
        || are_hours
        || groups().zip(groups().skip(1)).zip(groups().skip(2)).any(is_date)
}

fn is_date(((first, second), third): ((&str, &str), &str)) -> bool {
    let is_year = |group: &str| group.len() == 4 && (group.starts_with("19") || group.starts_with("20"));
    let is_part = |group: &str| group.len() <= 2;
    is_part(second) && (is_year(first) && is_part(third) || is_part(first) && is_year(third))
}
