//! Random secrets, which the store knows by their digest alone.

use rand::distr::{Alphanumeric, SampleString as _};
use sha2::{Digest as _, Sha256};

/// `length` random letters and digits (5.95 bits each).
pub fn random(length: usize) -> String {
    Alphanumeric.sample_string(&mut rand::rng(), length)
}

/// SHA-256, under which a secret is stored. The secrets are random, so that no slow hash is needed.
pub fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}
