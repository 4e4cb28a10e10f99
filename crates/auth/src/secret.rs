//! Random secrets, stored as digests only.

use rand::distr::{Alphanumeric, SampleString as _};
use sha2::{Digest as _, Sha256};

/// Generates `length` random letters and digits (5.95 bits each).
pub fn random(length: usize) -> String {
    Alphanumeric.sample_string(&mut rand::rng(), length)
}

/// Returns the SHA-256 digest that is stored for a secret. The secrets are random, so no slow hash is needed.
pub fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}
