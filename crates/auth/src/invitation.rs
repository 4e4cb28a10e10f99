//! Tokens of invitations: `gi_` followed by 32 random bytes as base64url (RFC 4648, section 5) without padding.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};

const PREFIX: &str = "gi_";

/// Generates a new token.
pub fn generate() -> String {
    format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()))
}
