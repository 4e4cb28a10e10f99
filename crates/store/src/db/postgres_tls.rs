//! TLS of PostgreSQL connections: the mode a URL asks for, and errors that say what to change.

use std::io::ErrorKind::{InvalidData, NotFound, PermissionDenied};

use sqlx::postgres::{PgConnectOptions, PgSslMode};

use crate::{Error, Result};

/// Parses a URL. If it names a certificate authority, `require` and `prefer` mean `verify-ca`, as in PostgreSQL's own
/// programs (documentation of libpq, "SSL Support"); the driver would accept any certificate.
pub(crate) fn parse_options(url: &str) -> Result<PgConnectOptions> {
    let options: PgConnectOptions = url.parse()?;
    let is_lenient = matches!(options.get_ssl_mode(), PgSslMode::Require | PgSslMode::Prefer);
    let verifies = is_lenient && names_authority(url);
    Ok(if verifies { options.ssl_mode(PgSslMode::VerifyCa) } else { options })
}

/// Returns whether the URL names a certificate authority, by any parameter that the driver reads.
fn names_authority(url: &str) -> bool {
    let names = ["sslrootcert", "ssl-root-cert", "ssl-ca"];
    let given = url.split(['?', '&']).skip(1).filter_map(|part| part.split_once('='));
    given.map(|(name, _)| name).any(|name| names.contains(&name))
}

/// Turns a connection error into one that says what to change.
pub(crate) fn explain(error: sqlx::Error) -> Error {
    match error {
        // The driver wraps handshake errors this way.
        sqlx::Error::Io(cause) if cause.kind() == InvalidData => Error::UntrustedCertificate(cause),
        sqlx::Error::Io(cause) if matches!(cause.kind(), NotFound | PermissionDenied) => {
            Error::MissingFile(cause)
        }
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(query: &str) -> PgSslMode {
        parse_options(&format!("postgres://user@host/database?{query}")).unwrap().get_ssl_mode()
    }

    #[test]
    fn a_named_authority_is_verified() {
        for query in
            ["sslrootcert=/ca.crt", "sslmode=require&sslrootcert=/ca.crt", "ssl-ca=/ca.crt&sslmode=require"]
        {
            assert!(matches!(mode(query), PgSslMode::VerifyCa), "{query}");
        }
    }

    #[test]
    fn other_modes_are_unchanged() {
        assert!(matches!(mode("sslmode=require"), PgSslMode::Require));
        assert!(matches!(mode("sslmode=disable&sslrootcert=/ca.crt"), PgSslMode::Disable));
        assert!(matches!(mode("sslmode=verify-full&sslrootcert=/ca.crt"), PgSslMode::VerifyFull));
    }
}
