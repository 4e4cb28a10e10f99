//! Outcomes of changes, in which expected refusals are values instead of errors, and pages of lists.

use crate::Result;

/// Outcome of a creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created<T> {
    /// The new row.
    Done(T),
    /// The name is taken.
    NameTaken,
}

/// Outcome of a change to a named row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed<T> {
    /// The row after the change.
    Done(T),
    /// Another row has the name.
    NameTaken,
    /// The organization has no such row.
    Missing,
    /// The row was changed meanwhile: read it again.
    Stale,
}

/// Outcome of a deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deleted {
    /// Deleted.
    Done,
    /// The organization has no such row.
    Missing,
    /// Still in use by these, in order of name.
    InUse(Vec<String>),
}

/// Outcome of a change to a membership.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberChanged {
    /// Changed.
    Done,
    /// The user does not belong to the organization.
    Missing,
    /// The change would leave the organization without an owner.
    LastOwner,
}

impl MemberChanged {
    pub(crate) fn when(changed: bool) -> Self {
        if changed { Self::Done } else { Self::Missing }
    }
}

impl<T> Created<T> {
    pub(crate) fn when(inserted: bool, row: T) -> Self {
        if inserted { Self::Done(row) } else { Self::NameTaken }
    }
}

impl<T> Changed<T> {
    /// Maps `None` to `Missing`, and a violated unique key to `NameTaken`.
    pub(crate) fn from_update(updated: std::result::Result<Option<T>, sqlx::Error>) -> Result<Self> {
        match updated {
            Ok(row) => Ok(row.map_or(Self::Missing, Self::Done)),
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Ok(Self::NameTaken),
            Err(error) => Err(error.into()),
        }
    }
}

/// A page request, newest first.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Maximum number of rows.
    pub limit: u16,
    /// Only rows before this identifier; `None` for the first page.
    pub before: Option<uuid::Uuid>,
}

/// A page of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Paged<T> {
    /// Rows, newest first.
    pub rows: Vec<T>,
    /// `before` of the next page; `None` on the last.
    pub next: Option<uuid::Uuid>,
}

impl Page {
    /// One more than requested, to learn whether there is a next page.
    pub(crate) fn limit_plus_one(self) -> i64 {
        i64::from(self.limit) + 1
    }

    /// Identifiers compare as bytes: the largest one stands for "from the newest".
    pub(crate) fn upper_bound(self) -> uuid::Uuid {
        self.before.unwrap_or(uuid::Uuid::max())
    }

    pub(crate) fn finish<T>(self, mut rows: Vec<T>, id: impl Fn(&T) -> uuid::Uuid) -> Paged<T> {
        let more = rows.len() > usize::from(self.limit);
        rows.truncate(usize::from(self.limit));
        let next = if more { rows.last().map(id) } else { None };
        Paged { rows, next }
    }
}
