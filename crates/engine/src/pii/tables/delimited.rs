//! Delimited tables: lines with as many cells as the heading, separated by `;`, `,`, `|`, tabs, or two blanks and more.

use super::{COLUMNS, Cell, Columns, Heading, ROWS};
use crate::span::Span;

/// Longest heading and longest row, in bytes.
const HEADING: usize = 400;
const ROW: usize = 2_000;

/// The cells of every table in `text`.
pub(super) fn find(text: &str, column: Columns<'_>, found: &mut Vec<Cell>) {
    let mut lines = lines(text).peekable();
    while let Some(line) = lines.next() {
        let Some((delimiter, heading)) = lines.peek().and_then(|_| heading(line.of(text), column)) else {
            continue;
        };
        for _ in 0..ROWS {
            if lines.peek().is_some_and(|line| is_rule(line.of(text))) {
                lines.next();
            }
            let row = lines.peek().filter(|row| row.len() <= ROW).map(|row| cells(text, *row, delimiter));
            if !row.is_some_and(|row| heading.read(text, &row, found)) {
                break;
            }
            lines.next();
        }
    }
}

/// Returns the heading of the table that may go on behind the end of `text`, which ends with a line. The line end belongs
/// to the heading.
pub(in crate::pii) fn open_table(text: &str, column: Columns<'_>) -> Option<Span> {
    text.strip_suffix('\n')?;
    let mut open: Option<(Span, u8, Heading)> = None;
    for line in lines(text).filter(|line| line.start < text.len()) {
        let goes_on = open.as_ref().is_some_and(|(_, delimiter, heading)| {
            is_rule(line.of(text)) || heading.has_columns(cells(text, line, *delimiter).len())
        });
        if !goes_on {
            open = heading(line.of(text), column).map(|(delimiter, heading)| (line, delimiter, heading));
        }
    }
    let (line, ..) = open?;
    let end = line.end + text[line.end..].find('\n')? + 1;
    Some(Span::new(line.start, end))
}

fn lines(text: &str) -> impl Iterator<Item = Span> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let span = Span::new(start, start + line.trim_end_matches('\r').len());
        start += line.len() + 1;
        span
    })
}

/// The delimiter of a line that is a heading, and what it says.
fn heading(line: &str, column: Columns<'_>) -> Option<(u8, Heading)> {
    let delimiter = delimiter(line.get(..HEADING.min(line.len()))?)?;
    let is_part =
        |c: char| c.is_alphanumeric() || " _-\"'`*./:#\t\r".contains(c) || c == char::from(delimiter);
    // Arguments of a call end with a comma, headings do not.
    let may_be = line.len() <= HEADING && !line.ends_with([',', ';']) && line.chars().all(is_part);
    let cells = may_be.then(|| cells(line, Span::new(0, line.len()), delimiter))?;
    let heading = Heading::of(cells.iter().map(|cell| cell.of(line)), column)?;
    Some((delimiter, if delimiter == b' ' { heading.without_names() } else { heading }))
}

/// The rarest sign of those that part cells; a blank stands for two and more.
fn delimiter(line: &str) -> Option<u8> {
    let sign =
        [b'\t', b'|', b';', b','].into_iter().find(|sign| memchr::memchr(*sign, line.as_bytes()).is_some());
    sign.or_else(|| line.trim().contains("  ").then_some(b' '))
}

/// `-----+-----`, drawn below a heading.
fn is_rule(line: &str) -> bool {
    line.len() > 2 && line.bytes().all(|byte| matches!(byte, b'-' | b'+' | b'=' | b' '))
}

/// The cells of the line at `line`; a delimiter between double quotes parts nothing.
fn cells(text: &str, line: Span, delimiter: u8) -> Vec<Span> {
    if delimiter == b' ' {
        return columns(text, line);
    }
    let mut cells = Vec::new();
    let (mut start, mut is_quoted) = (line.start, false);
    for (place, byte) in line.of(text).bytes().enumerate() {
        is_quoted ^= byte == b'"';
        if byte == delimiter && !is_quoted && cells.len() < COLUMNS {
            cells.push(Span::new(start, line.start + place));
            start = line.start + place + 1;
        }
    }
    cells.push(Span::new(start, line.end));
    cells
}

/// The cells of a line that two blanks or more part.
fn columns(text: &str, line: Span) -> Vec<Span> {
    let mut start = line.start;
    let parts = line.of(text).split("  ").map(move |part| {
        let span = Span::new(start, start + part.len());
        start = span.end + 2;
        span
    });
    parts.filter(|part| !part.of(text).trim().is_empty()).take(COLUMNS + 1).collect()
}
