//! What can go wrong with a database itself; refusals of its rows are answers.

/// The database could not do it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It refused, or cannot be reached.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// Its server's certificate is not one that `sslmode` lets pass.
    #[error(
        "database: its certificate is not trusted: {0}; sslrootcert of database_url names the file of the authority \
         that signed it"
    )]
    Untrusted(std::io::Error),
    /// A socket, or a file of certificates or keys, that the address names is not there, or not ours to read.
    #[error("database: the socket or a file that database_url names: {0}")]
    NoFile(std::io::Error),
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

    /// Whether the database could not be reached, or is going down or coming up: what was asked may work later.
    pub fn is_unavailable(&self) -> bool {
        use sqlx::Error::{Database, Io, PoolClosed, PoolTimedOut, Protocol, Tls, WorkerCrashed};
        match self {
            Self::Database(Io(_) | Tls(_) | PoolTimedOut | PoolClosed | WorkerCrashed | Protocol(_)) => true,
            // Connections (08), an operator who ends them (57P), and more of them than there may be (53300); a server
            // that takes no writes (25006) is one whose place another took.
            // Source: PostgreSQL, "Appendix A. PostgreSQL Error Codes".
            Self::Database(Database(fault)) => fault.code().is_some_and(|code| {
                code.starts_with("08") || code.starts_with("57P") || code == "53300" || code == "25006"
            }),
            _ => false,
        }
    }
}

/// An answer of the store.
pub type Result<T> = std::result::Result<T, Error>;
