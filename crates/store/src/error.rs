//! Errors of the database. Expected refusals, such as a taken name, are return values instead.

use sqlx::sqlite::SqliteError;

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
    /// Audit entries are chained under a key that this process does not have.
    #[error(
        "audit trail: the key of its entries is missing; restore the table audit_key from a backup, and the master key"
    )]
    AuditKeyMissing,
    /// The oldest entries of an audit trail are not as they were written, so retention does not delete them.
    #[error(
        "audit trail of organization {0}: entry {1} was altered or is missing; its oldest entries are kept"
    )]
    AuditTrailAltered(uuid::Uuid, i64),
    /// The database file cannot be created.
    #[error("database file: {0}")]
    File(#[from] std::io::Error),
}

impl Error {
    /// Returns whether a referenced row does not exist.
    pub fn is_missing_reference(&self) -> bool {
        matches!(self, Self::Database(sqlx::Error::Database(error)) if error.is_foreign_key_violation())
    }

    /// Returns whether the database cannot be reached, or cannot work now: it is starting or shutting down, full, locked,
    /// read-only or failing. A retry may succeed.
    pub fn is_unavailable(&self) -> bool {
        use sqlx::Error::{Database, Io, PoolClosed, PoolTimedOut, Protocol, Tls, WorkerCrashed};
        match self {
            Self::Unavailable
            | Self::Database(Io(_) | Tls(_) | PoolTimedOut | PoolClosed | WorkerCrashed | Protocol(_)) => {
                true
            }
            Self::Database(Database(error)) => {
                let is_sqlite = error.try_downcast_ref::<SqliteError>().is_some();
                let cannot_work = if is_sqlite { sqlite_cannot_work } else { postgres_cannot_work };
                error.code().is_some_and(|code| cannot_work(&code))
            }
            _ => false,
        }
    }
}

/// Returns whether SQLite could not work: busy (5), locked (6), out of memory (7), read-only (8), interrupted (9), an I/O
/// error (10), full (13), a file that cannot be opened (14), a lock that another process breaks (15). The low byte of a
/// code is its kind. Source: sqlite.org/rescode.html.
fn sqlite_cannot_work(code: &str) -> bool {
    code.parse::<u32>().is_ok_and(|code| matches!(code & 0xff, 5..=10 | 13..=15))
}

/// Returns whether PostgreSQL could not work: connection errors (08), a server that has become read-only after a failover
/// (25006) or ended an idle transaction (25P03), a transaction to be repeated (40), a lack of disk, memory or connections
/// (53), a lock that was not available (55P03), an operator's intervention (57), an error of the system (58). Source:
/// PostgreSQL, "Appendix A. PostgreSQL Error Codes".
fn postgres_cannot_work(code: &str) -> bool {
    let classes = ["08", "40001", "40P01", "53", "57", "58"];
    classes.iter().any(|class| code.starts_with(class)) || ["25006", "25P03", "55P03"].contains(&code)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_cannot_work_now_is_unavailable() {
        // Full, busy, busy with a recovery, read-only, a failed write, a failed flush.
        for code in ["13", "5", "261", "8", "778", "1034"] {
            assert!(sqlite_cannot_work(code), "{code}");
        }
        // A broken constraint, corruption.
        for code in ["787", "11"] {
            assert!(!sqlite_cannot_work(code), "{code}");
        }
        for code in ["08006", "53100", "53300", "25006", "55P03", "57P03", "58030", "40001"] {
            assert!(postgres_cannot_work(code), "{code}");
        }
        for code in ["23505", "25P02", "42601"] {
            assert!(!postgres_cannot_work(code), "{code}");
        }
    }
}
