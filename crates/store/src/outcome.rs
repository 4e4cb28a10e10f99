//! What became of a change: refusals are answers, not errors.

use crate::Result;

/// Of a creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created<T> {
    /// The new row.
    Done(T),
    /// The name is in use.
    NameTaken,
}

/// Of a change to a named row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed<T> {
    /// The row as it is now.
    Done(T),
    /// The name is in use by another row.
    NameTaken,
    /// There is no such row in that organisation.
    Missing,
    /// Somebody else changed it in the meantime: read it again.
    Stale,
}

/// Of a deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deleted {
    /// It is gone.
    Done,
    /// There is no such row in that organisation.
    Missing,
    /// These still use it, by name in ascending order.
    InUse(Vec<String>),
}

/// Of a change to a membership.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberChanged {
    /// It holds from now on.
    Done,
    /// The user does not belong to the organisation.
    Missing,
    /// It would leave the organisation without an owner.
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
    /// `None` is a row that is not there, a broken unique key a name in use.
    pub(crate) fn from_update(updated: std::result::Result<Option<T>, sqlx::Error>) -> Result<Self> {
        match updated {
            Ok(row) => Ok(row.map_or(Self::Missing, Self::Done)),
            Err(sqlx::Error::Database(fault)) if fault.is_unique_violation() => Ok(Self::NameTaken),
            Err(fault) => Err(fault.into()),
        }
    }
}

/// A page of a list, newest first.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Rows at most.
    pub limit: u16,
    /// Only rows before this id; `None` for the first page.
    pub before: Option<uuid::Uuid>,
}

/// Rows of a page and where the next one begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Paged<T> {
    /// Newest first.
    pub rows: Vec<T>,
    /// `before` of the next page; `None` at the end.
    pub next: Option<uuid::Uuid>,
}

impl Page {
    /// One more than asked: it tells whether there is a next page.
    pub(crate) fn reach(self) -> i64 {
        i64::from(self.limit) + 1
    }

    /// Ids are compared as bytes: the largest possible one stands for "from the newest".
    pub(crate) fn before(self) -> uuid::Uuid {
        self.before.unwrap_or(uuid::Uuid::max())
    }

    pub(crate) fn cut<T>(self, mut rows: Vec<T>, id: impl Fn(&T) -> uuid::Uuid) -> Paged<T> {
        let more = rows.len() > usize::from(self.limit);
        rows.truncate(usize::from(self.limit));
        let next = if more { rows.last().map(id) } else { None };
        Paged { rows, next }
    }
}
