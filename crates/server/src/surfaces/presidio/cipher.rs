//! Encryption as Presidio does it: AES in CBC mode with PKCS#7 padding (NIST SP 800-38A, RFC 5652), a random IV in front,
//! in URL-safe base64. The mode does not show changes of the text; it is here so that what Presidio encrypted can be
//! decrypted, and the other way round.

use aes::{
    Aes128, Aes192, Aes256, Block,
    cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, KeyInit, consts::U16},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE};
use guardengine_engine::fields::{FieldError, Fields};
use zeroize::Zeroizing;

const BLOCK: usize = 16;

/// A caller's key of 128, 192 or 256 bits.
pub struct Key(Zeroizing<Vec<u8>>);

impl Key {
    /// Reads the field `key`.
    pub fn read(fields: Fields<'_>) -> Result<Self, FieldError> {
        let key = fields.required_string("key")?.as_bytes();
        if matches!(key.len(), 16 | 24 | 32) {
            Ok(Self(Zeroizing::new(key.to_vec())))
        } else {
            Err(FieldError::value("key", "must have 16, 24 or 32 bytes"))
        }
    }

    /// Encrypts a text.
    pub fn encrypt(&self, text: &str) -> String {
        let iv: [u8; BLOCK] = rand::random();
        let padding = BLOCK - text.len() % BLOCK;
        let mut bytes = [&iv[..], text.as_bytes()].concat();
        bytes.resize(bytes.len() + padding, padding as u8);
        match self.0.len() {
            16 => encrypt::<Aes128>(&self.0, &mut bytes),
            24 => encrypt::<Aes192>(&self.0, &mut bytes),
            _ => encrypt::<Aes256>(&self.0, &mut bytes),
        }
        URL_SAFE.encode(bytes)
    }

    /// Decrypts a text; `None` if it was not encrypted with this key.
    pub fn decrypt(&self, text: &str) -> Option<String> {
        let mut bytes = URL_SAFE.decode(text).ok()?;
        if bytes.len() < 2 * BLOCK || !bytes.len().is_multiple_of(BLOCK) {
            return None;
        }
        match self.0.len() {
            16 => decrypt::<Aes128>(&self.0, &mut bytes),
            24 => decrypt::<Aes192>(&self.0, &mut bytes),
            _ => decrypt::<Aes256>(&self.0, &mut bytes),
        }
        let padding = usize::from(*bytes.last()?);
        let end = bytes.len().checked_sub(padding).filter(|_| (1..=BLOCK).contains(&padding))?;
        let is_padded = bytes[end..].iter().all(|byte| usize::from(*byte) == padding);
        is_padded.then(|| String::from_utf8(bytes[BLOCK..end].to_vec()).ok())?
    }
}

/// Encrypts the blocks after the first, which is the IV.
fn encrypt<C: KeyInit + BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>>(key: &[u8], bytes: &mut [u8]) {
    let Ok(cipher) = C::new_from_slice(key) else { return };
    let mut before = [0; BLOCK];
    for (at, block) in bytes.chunks_exact_mut(BLOCK).enumerate() {
        if at > 0 {
            let mut mixed = Block::default();
            mixed
                .iter_mut()
                .zip(&*block)
                .zip(before)
                .for_each(|((mixed, byte), before)| *mixed = byte ^ before);
            cipher.encrypt_block(&mut mixed);
            block.copy_from_slice(&mixed);
        }
        before.copy_from_slice(block);
    }
}

/// Decrypts the blocks after the first, which is the IV.
fn decrypt<C: KeyInit + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>>(key: &[u8], bytes: &mut [u8]) {
    let Ok(cipher) = C::new_from_slice(key) else { return };
    let mut before = [0; BLOCK];
    for (at, block) in bytes.chunks_exact_mut(BLOCK).enumerate() {
        let mut sealed = [0; BLOCK];
        sealed.copy_from_slice(block);
        if at > 0 {
            let mut opened = Block::from(sealed);
            cipher.decrypt_block(&mut opened);
            block
                .iter_mut()
                .zip(&opened)
                .zip(before)
                .for_each(|((byte, opened), before)| *byte = opened ^ before);
        }
        before = sealed;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn key(text: &str) -> Key {
        Key::read(Fields::of(&json!({ "key": text }), "body").unwrap()).unwrap()
    }

    #[test]
    fn what_is_encrypted_can_be_decrypted_with_the_same_key() {
        for length in [16, 24, 32] {
            let key = key(&"k".repeat(length));
            for text in ["", "Jane", "sixteen letters.", "Zoë and seventeen more letters"] {
                let (one, other) = (key.encrypt(text), key.encrypt(text));
                assert_eq!(key.decrypt(&one).as_deref(), Some(text));
                assert_ne!(one, other);
            }
        }
    }

    /// Encrypted by presidio-anonymizer 2.2.366.
    #[test]
    fn what_presidio_encrypted_can_be_decrypted() {
        let opened = key("WmZq4t7w!z%C&F)J").decrypt("QS_7yvvxnxvDgUqa3FNSMjMDB1MpBqmYEACQpqnx2Jw=");
        assert_eq!(opened.as_deref(), Some("Chloë"));
    }

    #[test]
    fn other_texts_and_keys_open_nothing() {
        let sealed = key("0123456789abcdef").encrypt("Jane Doe and the others");
        assert_eq!(key("0123456789abcdeF").decrypt(&sealed), None);
        for text in ["", "Jane", "%%%", &sealed[..20]] {
            assert_eq!(key("0123456789abcdef").decrypt(text), None, "{text}");
        }
    }
}
