//! Keys of one organization's masks.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::ZeroizeOnDrop;

/// Keys for format-preserving replacement, hashes, tokens and invented values, derived from one organization key.
///
/// Each is HKDF-Expand (RFC 5869, section 2.3) of the organization key, which is uniform already, with a label of its
/// own, so that no strategy reveals anything about another.
/// They are overwritten when they are dropped.
#[derive(Clone, ZeroizeOnDrop)]
pub struct MaskKeys {
    format: [u8; 32],
    hash: [u8; 32],
    token: [u8; 32],
    synthetic: [u8; 32],
}

/// Base 32 of RFC 4648, in lower case.
const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

impl MaskKeys {
    /// Derives the keys from an organization's 32 random bytes.
    pub fn new(organisation: &[u8; 32]) -> Self {
        let derived = |label: &str| hmac(organisation, &[label.as_bytes(), &[1]]);
        Self {
            format: derived("guardengine mask format"),
            hash: derived("guardengine mask hash"),
            token: derived("guardengine mask token"),
            synthetic: derived("guardengine mask synthetic"),
        }
    }

    /// The AES-256 key of FF1.
    pub(super) const fn format(&self) -> &[u8; 32] {
        &self.format
    }

    /// The key from which invented values follow.
    pub(super) const fn synthetic(&self) -> &[u8; 32] {
        &self.synthetic
    }

    /// Where the stream for values that are too short for FF1 starts.
    pub(super) fn seed(&self, tweak: &[u8], value: &str) -> [u8; 32] {
        hmac(&self.format, &[tweak, &[0], value.as_bytes()])
    }

    /// The first 16 hexadecimal digits of HMAC-SHA-256 over kind and value.
    pub(super) fn digest(&self, kind: &str, value: &str) -> String {
        let code = hmac(&self.hash, &[kind.as_bytes(), &[0], value.as_bytes()]);
        code[..8].iter().fold(String::with_capacity(16), |digits, byte| digits + &format!("{byte:02x}"))
    }

    /// 100 bits of HMAC-SHA-256 over kind and value, as 20 letters and digits of base 32.
    pub(super) fn token(&self, kind: &str, value: &str) -> String {
        let code = hmac(&self.token, &[kind.as_bytes(), &[0], value.as_bytes()]);
        code[..20].iter().map(|byte| char::from(BASE32[usize::from(byte & 31)])).collect()
    }
}

impl fmt::Debug for MaskKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MaskKeys")
    }
}

/// HMAC-SHA-256 (RFC 2104, FIPS 198-1) over the parts joined.
pub(super) fn hmac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}
