//! API keys: `ge_` followed by 40 random letters and digits.

use crate::secret;

const PREFIX: &str = "ge_";
const RANDOM_CHARS: usize = 40;
const SHOWN_CHARS: usize = 10;

/// Generates a new key.
pub fn generate() -> String {
    format!("{PREFIX}{}", secret::random(RANDOM_CHARS))
}

/// Returns the leading characters, by which people recognize a key.
pub fn shown(key: &str) -> &str {
    &key[..SHOWN_CHARS.min(key.len())]
}
