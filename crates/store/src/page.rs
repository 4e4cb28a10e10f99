//! Pages of lists, newest first.

use uuid::Uuid;

/// A page request, newest first.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Maximum number of rows.
    pub limit: u16,
    /// Only rows before this identifier; `None` for the first page.
    pub before: Option<Uuid>,
}

/// A page of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Paged<T> {
    /// Rows, newest first.
    pub rows: Vec<T>,
    /// `before` of the next page; `None` on the last.
    pub next: Option<Uuid>,
}

impl Page {
    /// Number of rows to read: one more than requested, to learn whether there is a next page.
    pub(crate) fn limit_plus_one(self) -> i64 {
        i64::from(self.limit) + 1
    }

    /// Exclusive upper bound of the page. Identifiers compare as bytes: without `before` it is the largest one.
    pub(crate) fn upper_bound(self) -> Uuid {
        self.before.unwrap_or(Uuid::max())
    }

    pub(crate) fn finish<T>(self, mut rows: Vec<T>, id: impl Fn(&T) -> Uuid) -> Paged<T> {
        let more = rows.len() > usize::from(self.limit);
        rows.truncate(usize::from(self.limit));
        let next = if more { rows.last().map(id) } else { None };
        Paged { rows, next }
    }
}
