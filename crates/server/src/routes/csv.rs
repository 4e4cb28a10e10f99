//! Comma-separated values (RFC 4180), safe to open in a spreadsheet.

use std::borrow::Cow;

use csv::{Terminator, WriterBuilder};

/// The byte order mark of UTF-8, without which some spreadsheets read another encoding.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns the beginning of a file with these lines, after a byte order mark if `has_mark`.
pub fn file<'l, const CELLS: usize>(
    lines: impl Iterator<Item = [Cow<'l, str>; CELLS]>,
    has_mark: bool,
) -> csv::Result<Vec<u8>> {
    let written = lines_of(lines)?;
    Ok(if has_mark { [BYTE_ORDER_MARK, &written].concat() } else { written })
}

/// Returns lines.
pub fn lines_of<'l, const CELLS: usize>(
    lines: impl Iterator<Item = [Cow<'l, str>; CELLS]>,
) -> csv::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    for line in lines {
        writer.write_record(line.iter().map(|cell| harmless(cell).into_owned()))?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

const FORMULA_STARTS: [char; 11] =
    ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// Spreadsheets treat cells with these first characters as formulas; a leading quote makes them text.
/// Source: OWASP, "CSV Injection".
fn harmless(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(FORMULA_STARTS) { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_formulas_into_text() {
        for cell in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\u{ff1d}1+1"] {
            assert_eq!(harmless(cell), format!("'{cell}"));
        }
        for cell in ["", "a=1", " =1", "1-1"] {
            assert_eq!(harmless(cell), cell);
        }
    }

    #[test]
    fn quotes_cells_where_needed() {
        let line: [Cow<'_, str>; 4] = ["a,b", "say \"hi\"", "two\r\nlines", "plain"].map(Cow::Borrowed);
        let written = String::from_utf8(file(std::iter::once(line), true).unwrap()).unwrap();
        assert_eq!(written, "\u{feff}\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\",plain\r\n");
    }
}
