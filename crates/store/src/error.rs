//! What can go wrong with a database itself; refusals of its rows are answers.

/// The database could not do it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It refused, or cannot be reached.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// Its tables cannot be brought up to date.
    #[error("database migration: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// Only the embedded database can do that.
    #[error("only for the embedded database; PostgreSQL has its own tools, pg_dump and pg_restore")]
    NotEmbedded,
    /// The database file cannot be made.
    #[error("database file: {0}")]
    File(#[from] std::io::Error),
}

impl Error {
    /// Whether a row that this one refers to is not there (any more).
    pub fn is_dangling(&self) -> bool {
        matches!(self, Self::Database(sqlx::Error::Database(fault)) if fault.is_foreign_key_violation())
    }
}

/// An answer of the store.
pub type Result<T> = std::result::Result<T, Error>;
