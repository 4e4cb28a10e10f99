//! Errors of the database. Expected refusals, such as a taken name, are return values instead.

/// A database failure.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A query failed, or the database cannot be reached.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// The server's certificate is not accepted by `sslmode`.
    #[error(
        "database: its certificate is not trusted: {0}; set sslrootcert in database_url to the file of the certificate \
         authority that signed it"
    )]
    UntrustedCertificate(std::io::Error),
    /// A socket, certificate or key file named in the URL is missing or not readable.
    #[error("database: cannot open the socket or a file named in database_url: {0}")]
    MissingFile(std::io::Error),
    /// The schema cannot be migrated.
    #[error("database migration: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The database did not answer the last health check, so the operation was not tried.
    #[error("database: it does not answer")]
    Unavailable,
    /// The operation exists for SQLite only.
    #[error("only available for SQLite; use pg_dump and pg_restore for PostgreSQL")]
    SqliteOnly,
    /// The database file cannot be created.
    #[error("database file: {0}")]
    File(#[from] std::io::Error),
}

impl Error {
    /// Returns whether a referenced row does not exist.
    pub fn is_missing_reference(&self) -> bool {
        matches!(self, Self::Database(sqlx::Error::Database(error)) if error.is_foreign_key_violation())
    }

    /// Returns whether the database cannot be reached, is starting or is shutting down: a retry may succeed.
    pub fn is_unavailable(&self) -> bool {
        use sqlx::Error::{Database, Io, PoolClosed, PoolTimedOut, Protocol, Tls, WorkerCrashed};
        match self {
            Self::Unavailable
            | Self::Database(Io(_) | Tls(_) | PoolTimedOut | PoolClosed | WorkerCrashed | Protocol(_)) => {
                true
            }
            // Connection errors (08), shutdown by an operator (57P), too many connections (53300), and a server that
            // has become read-only (25006) after a failover. Source: PostgreSQL, "Appendix A. PostgreSQL Error Codes".
            Self::Database(Database(error)) => error.code().is_some_and(|code| {
                code.starts_with("08") || code.starts_with("57P") || code == "53300" || code == "25006"
            }),
            _ => false,
        }
    }
}

/// An error of a layer above, which may be caused by an unavailable database.
pub trait StoreError: From<Error> {
    /// Returns whether the database is unavailable: a retry may succeed.
    fn is_store_unavailable(&self) -> bool;
}

impl StoreError for Error {
    fn is_store_unavailable(&self) -> bool {
        self.is_unavailable()
    }
}

/// Result of a store operation.
pub type Result<T> = std::result::Result<T, Error>;
