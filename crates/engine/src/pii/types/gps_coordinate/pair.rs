//! Pairs of decimals that are a latitude and a longitude.

use crate::{
    pii::{Match, Scanner},
    span::Span,
    text::char_boundary,
};

/// Decimals a figure needs to point at a house rather than at a town.
const DECIMALS: usize = 4;
/// Longest text between the two figures, in bytes: `, "longitude": `.
const BETWEEN: usize = 20;

/// Adds the pairs of decimal degrees.
pub fn find(scan: &Scanner<'_>, found: &mut Vec<Match>) {
    let mut done = 0;
    for point in memchr::memchr_iter(b'.', scan.text.as_bytes()) {
        let Some(pair) = (point >= done).then(|| Pair::read(scan.text, point)).flatten() else { continue };
        done = pair.span.end;
        if let Some(confidence) = pair.confidence(scan) {
            found.push(Match { span: pair.span, confidence });
        }
    }
}

struct Pair<'t> {
    span: Span,
    latitude: f64,
    longitude: f64,
    between: &'t str,
}

impl<'t> Pair<'t> {
    fn read(text: &'t str, point: usize) -> Option<Self> {
        let first = decimal(text, point)?;
        let reach = char_boundary::floor(text, first.end + BETWEEN);
        let gap = text[first.end..reach].find(|c: char| c.is_ascii_digit())?;
        let digit = first.end + gap;
        let start = if text[..digit].ends_with('-') { digit - 1 } else { digit };
        let second = decimal(text, digit + text[digit..].bytes().take_while(u8::is_ascii_digit).count())?;
        let between = &text[first.end..start];
        (second.start == start && parts(between)).then_some(())?;
        let end = second.end + hemisphere(&text[second.end..]);
        let (latitude, longitude) = (first.of(text).parse().ok()?, second.of(text).parse().ok()?);
        Some(Self { span: Span::new(first.start, end), latitude, longitude, between })
    }

    fn confidence(&self, scan: &Scanner<'_>) -> Option<f32> {
        let (latitude, longitude) = (self.latitude.abs(), self.longitude.abs());
        // GeoJSON (RFC 7946) puts the longitude first.
        let in_range = latitude.min(longitude) <= 90.0 && latitude.max(longitude) <= 180.0;
        let shares = latitude < 1.0 && longitude < 1.0;
        if !in_range || shares || self.is_in_a_row(scan.text) {
            return None;
        }
        let (before, _) = scan.text.split_at(self.span.start);
        let labelled = self.between.contains(|c: char| c.is_alphabetic() || c == '°')
            || before.ends_with("geo:")
            || before.ends_with('@');
        let plain =
            self.between == ", " || scan.text[self.span.start..].starts_with('-') || self.longitude < 0.0;
        if labelled || scan.has_context("gps_coordinate", self.span) {
            return Some(0.95);
        }
        plain.then_some(0.7)
    }

    fn is_in_a_row(&self, text: &str) -> bool {
        let blank = |c: char| c == ' ' || c == ',' || c == ';' || c == '\t';
        let before = text[..self.span.start].trim_end_matches(blank);
        let after = text[self.span.end..].trim_start_matches(blank);
        let joined = before.len() < self.span.start && before.ends_with(|c: char| c.is_ascii_digit());
        let after_sign = after.strip_prefix('-').unwrap_or(after);
        let digits = after_sign.bytes().take_while(u8::is_ascii_digit).count();
        let goes_on =
            after.len() < text.len() - self.span.end && digits > 0 && !after_sign[digits..].starts_with('z');
        let drawing = before.len() < self.span.start
            && before.ends_with(['M', 'L', 'C', 'm', 'l', 'c'])
            && before.trim_end_matches(char::is_alphabetic).len() + 1 == before.len();
        joined || goes_on || drawing
    }
}

// The decimal around the point at `point`, sign included, when it stands free and has decimals enough.
fn decimal(text: &str, point: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let whole = bytes[..point].iter().rev().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    let decimals = bytes.get(point + 1..)?.iter().take(20).take_while(|byte| byte.is_ascii_digit()).count();
    let (mut start, end) = (point - whole, point + 1 + decimals);
    if text[..start].ends_with('-') {
        start -= 1;
    }
    let inside_more = text[..start]
        .ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '$' | '€' | '£'));
    let goes_on = bytes.get(end).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'%')
        || (bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit));
    (bytes[point] == b'.'
        && (1..=3).contains(&whole)
        && (DECIMALS..20).contains(&decimals)
        && !inside_more
        && !goes_on)
        .then(|| Span::new(start, end))
}

// What may stand between the two: a comma, blanks, a hemisphere, the name of the second.
fn parts(between: &str) -> bool {
    let letters: String =
        between.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    let signs_are_sane = between.chars().all(|c| {
        c.is_alphabetic() || matches!(c, ',' | ';' | ' ' | ':' | '"' | '\'' | '=' | '°' | '&' | '/')
    });
    let named = ["", "n", "s", "lon", "lng", "long", "longitude", "nlon", "lat", "latitude"]
        .contains(&letters.as_str());
    signs_are_sane && named && between.contains([',', ';', ' ', '&', '/'])
}

// Length of `° E` behind the second figure.
fn hemisphere(rest: &str) -> usize {
    let letter = rest.trim_start_matches([' ', '°']);
    let signed = rest.len() - letter.len();
    let ends = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    let is_letter = letter.starts_with(['E', 'W', 'N', 'S']) && ends(letter.chars().nth(1));
    if rest.starts_with('°') || signed > 0 {
        if is_letter { signed + 1 } else { 0 }
    } else {
        usize::from(is_letter)
    }
}
