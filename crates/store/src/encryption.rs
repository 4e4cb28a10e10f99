//! Connections to PostgreSQL that others cannot read: what an address asks for, and what is said where it cannot be had.

use std::io::ErrorKind::{InvalidData, NotFound, PermissionDenied};

use sqlx::postgres::{PgConnectOptions, PgSslMode};

use crate::{Error, Result};

/// What an address asks for. Who names an authority wants it asked: `require` and `prefer` then mean `verify-ca`, as they
/// do to PostgreSQL's own programs (documentation of libpq, "SSL Support"), where the driver would trust anybody.
pub(crate) fn wanted(url: &str) -> Result<PgConnectOptions> {
    let options: PgConnectOptions = url.parse()?;
    let is_lenient = matches!(options.get_ssl_mode(), PgSslMode::Require | PgSslMode::Prefer);
    let verifies = is_lenient && names_authority(url);
    Ok(if verifies { options.ssl_mode(PgSslMode::VerifyCa) } else { options })
}

/// By any of the names that the driver reads.
fn names_authority(url: &str) -> bool {
    let names = ["sslrootcert", "ssl-root-cert", "ssl-ca"];
    let given = url.split(['?', '&']).skip(1).filter_map(|part| part.split_once('='));
    given.map(|(name, _)| name).any(|name| names.contains(&name))
}

/// Why no connection was made, so that who starts the service knows what to change.
pub(crate) fn told(fault: sqlx::Error) -> Error {
    match fault {
        // The handshake's own faults come wrapped so.
        sqlx::Error::Io(cause) if cause.kind() == InvalidData => Error::Untrusted(cause),
        sqlx::Error::Io(cause) if matches!(cause.kind(), NotFound | PermissionDenied) => Error::NoFile(cause),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(query: &str) -> PgSslMode {
        wanted(&format!("postgres://user@host/database?{query}")).unwrap().get_ssl_mode()
    }

    #[test]
    fn an_authority_that_is_named_is_asked() {
        for query in
            ["sslrootcert=/ca.crt", "sslmode=require&sslrootcert=/ca.crt", "ssl-ca=/ca.crt&sslmode=require"]
        {
            assert!(matches!(mode(query), PgSslMode::VerifyCa), "{query}");
        }
    }

    #[test]
    fn every_other_mode_stays_what_it_is() {
        assert!(matches!(mode("sslmode=require"), PgSslMode::Require));
        assert!(matches!(mode("sslmode=disable&sslrootcert=/ca.crt"), PgSslMode::Disable));
        assert!(matches!(mode("sslmode=verify-full&sslrootcert=/ca.crt"), PgSslMode::VerifyFull));
    }
}
