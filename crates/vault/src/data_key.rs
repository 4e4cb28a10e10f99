//! A key that seals values for the place where they are kept.
//!
//! A sealed value is `version (1) ‖ key id (8) ‖ nonce (24) ‖ ciphertext and tag` of XChaCha20-Poly1305
//! (draft-irtf-cfrg-xchacha-03). What it belongs to is authenticated with it, so that a value moved to another
//! organisation, record or field does not open.

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};

use super::Error;

const VERSION: u8 = 1;
const KEY_ID: usize = 8;
const NONCE: usize = 24;

/// 32 bytes that seal and open.
#[derive(Clone, PartialEq, Eq)]
pub struct DataKey([u8; 32]);

impl DataKey {
    /// A new one.
    pub fn random() -> Self {
        Self(rand::random())
    }

    /// The key of these bytes, of which there must be 32.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// What tells it from others without giving it away: the beginning of its SHA-256.
    pub fn id(&self) -> [u8; KEY_ID] {
        let digest = Sha256::digest(self.0);
        std::array::from_fn(|at| digest[at])
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.0.into())
    }

    /// Seals `value` for `place`.
    pub fn seal(&self, place: &str, value: &[u8]) -> Vec<u8> {
        let nonce: [u8; NONCE] = rand::random();
        let payload = Payload { msg: value, aad: place.as_bytes() };
        // Fails only for values of more than 2^38 bytes.
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), payload).unwrap_or_default();
        [&[VERSION][..], &self.id(), &nonce, &sealed].concat()
    }

    /// What `value` is known by for `purpose` where it must not be readable: HMAC-SHA-256 (RFC 2104) under a key of the
    /// purpose's own, which is the same code of the purpose's name.
    pub fn digest(&self, purpose: &str, value: &[u8]) -> [u8; 32] {
        code(&code(&self.0, purpose.as_bytes()), value)
    }

    /// Whether `sealed` was sealed under this key.
    pub fn sealed(&self, sealed: &[u8]) -> bool {
        sealed.get(1..=KEY_ID) == Some(&self.id()[..])
    }

    /// Opens a value that was sealed for `place`.
    pub fn open(&self, place: &str, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let (head, rest) = sealed.split_at_checked(1 + KEY_ID).ok_or(Error::CannotDecrypt)?;
        let (nonce, ciphertext) = rest.split_at_checked(NONCE).ok_or(Error::CannotDecrypt)?;
        let nonce: [u8; NONCE] = nonce.try_into().map_err(|_| Error::CannotDecrypt)?;
        if head[0] != VERSION || !self.sealed(sealed) {
            return Err(Error::CannotDecrypt);
        }
        let payload = Payload { msg: ciphertext, aad: place.as_bytes() };
        self.cipher().decrypt(&XNonce::from(nonce), payload).map_err(|_| Error::CannotDecrypt)
    }
}

fn code(key: &[u8; 32], value: &[u8]) -> [u8; 32] {
    let mut mac =
        <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(value);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_of_its_value_purpose_and_key() {
        let (one, other) = (DataKey::random(), DataKey::random());
        assert_eq!(one.digest("a", b"value"), one.digest("a", b"value"));
        assert_ne!(one.digest("a", b"value"), one.digest("b", b"value"));
        assert_ne!(one.digest("a", b"value"), one.digest("a", b"other"));
        assert_ne!(one.digest("a", b"value"), other.digest("a", b"value"));
    }

    #[test]
    fn what_is_sealed_opens_only_in_its_place_and_unaltered() {
        let key = DataKey::random();
        let sealed = key.seal("here", b"secret");
        assert_eq!(key.open("here", &sealed).unwrap(), b"secret");
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
