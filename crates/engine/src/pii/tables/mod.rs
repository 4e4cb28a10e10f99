//! Values whose column or key names their type: delimited tables, `INSERT INTO`, objects with `first` and `last`.

mod columns;
mod delimited;
mod html;
mod insert;
mod objects;

pub(crate) use columns::Column;
pub(super) use delimited::open_table as open_table_under;

use super::key_value::Assignment;
use crate::span::Span;

/// Rows read under one heading at most.
const ROWS: usize = 200;
/// Columns of a table at most.
const COLUMNS: usize = 32;
/// Longest cell that is read, in bytes.
const LONGEST: usize = 120;

/// One value of a table, without blanks and quotes around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// What its heading says it is.
    pub column: Column,
    /// Where it stands.
    pub span: Span,
    /// Whether another column of the table holds data of people too.
    pub is_accompanied: bool,
}

/// Returns the heading of the table that may go on behind the end of `text`.
pub(crate) fn open_table(text: &str) -> Option<Span> {
    open_table_under(text, &columns::column)
}

/// Every cell of `text` under a heading that says what it is, in the order of the notations.
pub(super) fn cells(text: &str, assignments: &[Assignment]) -> Vec<Cell> {
    let mut found = Vec::new();
    read(text, &columns::column, &mut found);
    objects::find(text, assignments, &mut found);
    found
}

/// Every cell of `text` under a heading that `column` knows.
pub(super) fn cells_under(text: &str, column: Columns<'_>) -> Vec<Cell> {
    let mut found = Vec::new();
    read(text, column, &mut found);
    found
}

fn read(text: &str, column: Columns<'_>, found: &mut Vec<Cell>) {
    delimited::find(text, column, found);
    html::find(text, column, found);
    insert::find(text, column, found);
}

/// Returns the meaning of a heading, if that is known.
pub(super) type Columns<'c> = &'c dyn Fn(&str) -> Option<Column>;

/// The heading of a table: what each of its columns holds, where it is known.
struct Heading(Vec<Option<Column>>);

impl Heading {
    /// The heading that `cells` make, if one of them is known at least.
    fn of<'t>(cells: impl Iterator<Item = &'t str>, column: Columns<'_>) -> Option<Self> {
        let mut columns: Vec<_> = cells.map(column).collect();
        if columns.contains(&Some(Column::PersonName)) {
            // Beside `prénom`, `nom` is a surname.
            let any = columns.iter_mut().flatten().filter(|column| **column == Column::AnyName);
            any.for_each(|column| *column = Column::PersonName);
        }
        let is_one = (2..=COLUMNS).contains(&columns.len()) && columns.iter().any(Option::is_some);
        is_one.then_some(Self(columns))
    }

    /// The heading without its columns of names: the output of commands has those for things.
    fn without_names(mut self) -> Self {
        let is_name = |column: &Column| {
            matches!(column, Column::PersonName | Column::AnyName | Column::Street | Column::OfPeople)
        };
        self.0
            .iter_mut()
            .filter(|column| column.as_ref().is_some_and(is_name))
            .for_each(|column| *column = None);
        self
    }

    /// Returns whether a row of this table has so many cells.
    fn has_columns(&self, cells: usize) -> bool {
        cells == self.0.len()
    }

    /// Adds what a row of as many cells holds; whether it was one.
    fn read(&self, text: &str, row: &[Span], found: &mut Vec<Cell>) -> bool {
        let is_row = row.len() == self.0.len();
        let is_accompanied = self.0.iter().flatten().count() > 1;
        let columns = self.0.iter().zip(row).filter(|_| is_row);
        let known = columns.filter_map(|(column, cell)| Some(((*column)?, bare(text, *cell))));
        let read = known.filter(|(_, span)| !span.is_empty() && span.len() <= LONGEST);
        found.extend(read.map(|(column, span)| Cell { column, span, is_accompanied }));
        is_row
    }
}

/// The cell without the blanks and quotes around it.
fn bare(text: &str, cell: Span) -> Span {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`');
    let start = cell.end - cell.of(text).trim_start_matches(is_mark).len();
    Span::new(start, start + text[start..cell.end].trim_end_matches(is_mark).len())
}

#[cfg(test)]
mod tests;
