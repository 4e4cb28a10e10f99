//! Associated data that binds sealed values to their rows, so that a value moved to another row does not open.

use uuid::Uuid;

/// Returns the associated data of a sealed token value.
pub fn token_aad(org: Uuid, token: &str) -> String {
    format!("organization {org} token {token} value")
}

/// Returns the associated data of a sealed text.
pub fn text_aad(org: Uuid, log: Uuid) -> String {
    format!("organization {org} log {log} text")
}
