//! API keys: `ge_` and 40 random letters and digits.

use super::secret;

const PREFIX: &str = "ge_";
const RANDOM: usize = 40;
const SHOWN: usize = 10;

/// A new key.
pub fn generate() -> String {
    format!("{PREFIX}{}", secret::random(RANDOM))
}

/// The leading characters by which people recognise a key.
pub fn shown(key: &str) -> &str {
    &key[..SHOWN.min(key.len())]
}
