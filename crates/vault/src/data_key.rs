//! Data keys: authenticated encryption of values, bound to the record and field that hold them.
//!
//! An encrypted value is `version (1) ‖ key id (8) ‖ nonce (24) ‖ ciphertext and tag` of XChaCha20-Poly1305
//! (draft-irtf-cfrg-xchacha-03). The associated data names the organization, record and field, so that a value moved
//! elsewhere cannot be decrypted.

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::Error;

const VERSION: u8 = 1;
const KEY_ID: usize = 8;
const NONCE: usize = 24;
const TAG: usize = 16;

/// Bytes by which a sealed value is longer than the value.
pub const SEAL_BYTES: usize = 1 + KEY_ID + NONCE + TAG;

/// A 256-bit key that encrypts and decrypts values. Its bytes are overwritten when it is dropped.
#[derive(Clone, PartialEq, Eq, ZeroizeOnDrop)]
pub struct DataKey([u8; 32]);

impl DataKey {
    /// Generates a random key.
    pub fn random() -> Self {
        Self(rand::random())
    }

    /// Creates a key from bytes. Returns `None` unless there are 32.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// Returns the bytes of the key.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the key id: the first bytes of the key's SHA-256 digest, which do not reveal the key.
    pub fn id(&self) -> [u8; KEY_ID] {
        let digest = Sha256::digest(self.0);
        std::array::from_fn(|at| digest[at])
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.0.into())
    }

    /// Encrypts `value` with `aad` as associated data.
    pub fn seal(&self, aad: &str, value: &[u8]) -> Vec<u8> {
        let nonce: [u8; NONCE] = rand::random();
        let payload = Payload { msg: value, aad: aad.as_bytes() };
        // Fails only for values of more than 2^38 bytes.
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), payload).unwrap_or_default();
        [&[VERSION][..], &self.id(), &nonce, &sealed].concat()
    }

    /// Returns a keyed digest of `value` for `purpose`: HMAC-SHA-256 (RFC 2104). The key of each purpose is the HMAC of
    /// its name under this key.
    pub fn digest(&self, purpose: &str, value: &[u8]) -> [u8; 32] {
        hmac(&Zeroizing::new(hmac(&self.0, purpose.as_bytes())), value)
    }

    /// Returns true if `sealed` was encrypted with this key.
    pub fn sealed(&self, sealed: &[u8]) -> bool {
        sealed.get(1..=KEY_ID) == Some(&self.id()[..])
    }

    /// Decrypts a value that was encrypted with `aad` as associated data.
    pub fn open(&self, aad: &str, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let (head, rest) = sealed.split_at_checked(1 + KEY_ID).ok_or(Error::CannotDecrypt)?;
        let (nonce, ciphertext) = rest.split_at_checked(NONCE).ok_or(Error::CannotDecrypt)?;
        let nonce: [u8; NONCE] = nonce.try_into().map_err(|_| Error::CannotDecrypt)?;
        if head[0] != VERSION || !self.sealed(sealed) {
            return Err(Error::CannotDecrypt);
        }
        let payload = Payload { msg: ciphertext, aad: aad.as_bytes() };
        self.cipher().decrypt(&XNonce::from(nonce), payload).map_err(|_| Error::CannotDecrypt)
    }
}

fn hmac(key: &[u8; 32], value: &[u8]) -> [u8; 32] {
    let mut mac =
        <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key).expect("HMAC accepts keys of any length");
    mac.update(value);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_depends_on_value_purpose_and_key() {
        let (one, other) = (DataKey::random(), DataKey::random());
        assert_eq!(one.digest("a", b"value"), one.digest("a", b"value"));
        assert_ne!(one.digest("a", b"value"), one.digest("b", b"value"));
        assert_ne!(one.digest("a", b"value"), one.digest("a", b"other"));
        assert_ne!(one.digest("a", b"value"), other.digest("a", b"value"));
    }

    #[test]
    fn decrypts_only_unaltered_values_with_the_same_aad() {
        let key = DataKey::random();
        let sealed = key.seal("here", b"secret");
        assert_eq!(key.open("here", &sealed).unwrap(), b"secret");
        assert_eq!(sealed.len(), b"secret".len() + SEAL_BYTES);
        assert!(key.open("there", &sealed).is_err());
        assert!(DataKey::random().open("here", &sealed).is_err());
        for at in 0..sealed.len() {
            let mut altered = sealed.clone();
            altered[at] ^= 1;
            assert!(key.open("here", &altered).is_err(), "byte {at}");
            assert!(key.open("here", &sealed[..at]).is_err(), "length {at}");
        }
    }
}
