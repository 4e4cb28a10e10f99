//! Outcomes of changes, in which expected refusals are values instead of errors.

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
    /// Another row has the name. PostgreSQL aborts the transaction in that case: it can only be dropped.
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
