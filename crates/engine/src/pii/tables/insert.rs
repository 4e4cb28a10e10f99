//! Rows of SQL statements: `INSERT INTO t (columns) VALUES (…), (…)` (ISO/IEC 9075-2, `insert statement`).

use super::{COLUMNS, Cell, Columns, Heading, ROWS};
use crate::{pii::nearby, span::Span};

/// Bytes in which the columns begin, and in which they end.
const REACH: usize = 80;
const LONGEST: usize = 600;
/// Longest row, in bytes.
const ROW: usize = 2_000;

/// The values of every row that `text` inserts.
pub(super) fn find(text: &str, column: Columns<'_>, found: &mut Vec<Cell>) {
    for begin in ["INSERT INTO", "insert into", "Insert into"] {
        for place in memchr::memmem::find_iter(text.as_bytes(), begin.as_bytes()) {
            rows(text, place + begin.len(), column, found);
        }
    }
}

fn rows(text: &str, from: usize, column: Columns<'_>, found: &mut Vec<Cell>) -> Option<()> {
    let open = from + nearby::after(text, from, REACH).find('(')?;
    let close = open + nearby::after(text, open, LONGEST).find(')')?;
    let heading = Heading::of(text[open + 1..close].split(','), column)?;
    let rest = text[close + 1..].trim_start();
    let begins = rest.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("values"));
    let mut at = begins.then(|| text.len() - rest.len() + 6)?;
    for _ in 0..ROWS {
        let rest = text[at..].trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        let (values, end) = values(text, text.len() - rest.strip_prefix('(')?.len())?;
        heading.read(text, &values, found).then_some(())?;
        at = end;
    }
    Some(())
}

/// The values of the row that begins at `start`, and where it ends; signs between quotes part nothing.
fn values(text: &str, start: usize) -> Option<(Vec<Span>, usize)> {
    let mut values = Vec::new();
    let (mut from, mut is_quoted) = (start, false);
    for (place, byte) in
        nearby::after(text, start, ROW).bytes().enumerate().map(|(place, byte)| (start + place, byte))
    {
        is_quoted ^= byte == b'\'';
        if !is_quoted && matches!(byte, b',' | b')') {
            values.push(Span::new(from, place));
            from = place + 1;
        }
        if !is_quoted && byte == b')' || values.len() > COLUMNS {
            return Some((values, place + 1));
        }
    }
    None
}
