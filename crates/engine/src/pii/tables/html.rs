//! Tables of HTML: a row of `<th>`, then rows of as many `<td>` (HTML Standard, section 4.9).

use super::{COLUMNS, Cell, Columns, Heading, ROWS};
use crate::{pii::nearby, span::Span};

/// Longest row, in bytes.
const ROW: usize = 4_000;

/// The cells of every such table in `text`.
pub(super) fn find(text: &str, column: Columns<'_>, found: &mut Vec<Cell>) {
    let mut done = 0;
    for place in memchr::memmem::find_iter(text.as_bytes(), b"<th") {
        if place >= done {
            done = rows(text, place, column, found).unwrap_or(place + 1);
        }
    }
}

/// Reads the table whose first heading begins at `from`, and returns where it ends.
fn rows(text: &str, from: usize, column: Columns<'_>, found: &mut Vec<Cell>) -> Option<usize> {
    let (headings, mut end) = row(text, from, "<th")?;
    let heading = Heading::of(headings.iter().map(|cell| cell.of(text)), column)?;
    for _ in 0..ROWS {
        let Some((cells, next)) = row(text, end, "<td") else { break };
        heading.read(text, &cells, found).then_some(())?;
        end = next;
    }
    Some(end)
}

/// The cells of the row from `from` on, and where it ends.
fn row(text: &str, from: usize, tag: &str) -> Option<(Vec<Span>, usize)> {
    let reach = nearby::after(text, from, ROW);
    let end = reach.find("</tr>")?;
    let starts = reach[..end].match_indices(tag).map(|(place, _)| place).take(COLUMNS);
    let cell = |place: usize| {
        let start = place + reach[place..end].find('>')? + 1;
        let length = reach[start..end].find('<')?;
        Some(Span::new(from + start, from + start + length))
    };
    let cells: Option<Vec<_>> = starts.map(cell).collect();
    Some((cells.filter(|cells| !cells.is_empty())?, from + end + "</tr>".len()))
}
