//! Access tokens: JWTs (RFC 7519) signed with HS256 (RFC 7518, section 3.2).
//!
//! The providers of the `jsonwebtoken` crate pull in RSA or a C build, so the one algorithm that we use is implemented here
//! with `hmac` and `sha2`.

use hmac::{Hmac, KeyInit as _, Mac as _};
use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey, Header, Validation,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    errors::{Error as JwtError, ErrorKind},
    signature::{self, Signer, Verifier},
};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

use crate::signing_keys::Key;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |algorithm, key| Ok(Box::new(Hs256::new(*algorithm, key.as_bytes())?)),
    verifier_factory: |algorithm, key| Ok(Box::new(Hs256::new(*algorithm, key.try_get_as_bytes()?)?)),
    key_utils: KeyUtils::new_unimplemented(),
};

struct Hs256(Hmac<Sha256>);

impl Hs256 {
    fn new(algorithm: Algorithm, key: &[u8]) -> Result<Self, JwtError> {
        if algorithm != Algorithm::HS256 {
            return Err(ErrorKind::InvalidAlgorithm.into());
        }
        Hmac::new_from_slice(key).map(Self).map_err(|_| ErrorKind::InvalidKeyFormat.into())
    }
}

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        Ok(self.0.clone().chain_update(message).finalize().into_bytes().to_vec())
    }
}

impl Verifier<Vec<u8>> for Hs256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        self.0.clone().chain_update(message).verify_slice(signature).map_err(|_| signature::Error::new())
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

/// Claims of an access token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// User id.
    pub sub: Uuid,
    /// Organization id.
    pub org: Uuid,
    /// Session id.
    pub sid: Uuid,
    /// Time of issue, in seconds since the Unix epoch.
    pub iat: i64,
    /// Expiry, in seconds since the Unix epoch.
    pub exp: i64,
    /// Random id. Makes tokens issued in the same second differ.
    pub jti: Uuid,
}

/// Signs `claims` with `key`.
pub fn sign(claims: &Claims, key: &Key) -> Result<String, JwtError> {
    install();
    let header = Header { kid: Some(key.id.clone()), ..Header::new(Algorithm::HS256) };
    jsonwebtoken::encode(&header, claims, &EncodingKey::from_secret(&key.secret))
}

/// Returns the key id in the header of `token`, not verified.
pub fn key_id(token: &str) -> Option<String> {
    jsonwebtoken::decode_header(token).ok()?.kid
}

/// Returns the claims of `token` if `key` signed it. Does not check the expiry.
pub fn verify(token: &str, key: &Key) -> Option<Claims> {
    install();
    let mut validation = Validation::new(Algorithm::HS256);
    // The expiry is checked with the service's own clock.
    validation.validate_exp = false;
    validation.required_spec_claims.clear();
    let decoded = jsonwebtoken::decode::<Claims>(token, &DecodingKey::from_secret(&key.secret), &validation);
    decoded.ok().map(|decoded| decoded.claims)
}

fn install() {
    // Does nothing after the first call.
    let _installed = PROVIDER.install_default();
}

#[cfg(test)]
mod tests {
    use guardengine_store::Timestamp;

    use super::*;

    fn key(secret: u8) -> Key {
        Key { id: "k".to_owned(), secret: vec![secret; 32], created_at: Timestamp::default() }
    }

    fn claims() -> Claims {
        let id = Uuid::from_u128(1);
        Claims { sub: id, org: id, sid: id, iat: 0, exp: 60, jti: id }
    }

    #[test]
    fn verifies_tokens_of_the_same_key_only() {
        let token = sign(&claims(), &key(1)).unwrap();
        assert_eq!(key_id(&token).as_deref(), Some("k"));
        assert_eq!(verify(&token, &key(1)), Some(claims()));
        assert_eq!(verify(&token, &key(2)), None);
        let mut altered = token.clone();
        altered.replace_range(token.len() - 2..token.len() - 1, "-");
        assert!(altered == token || verify(&altered, &key(1)).is_none());
    }

    #[test]
    fn refuses_unsigned_tokens() {
        let token = sign(&claims(), &key(1)).unwrap();
        let payload = token.split('.').nth(1).unwrap();
        // {"alg":"none","kid":"k"}
        assert_eq!(verify(&format!("eyJhbGciOiJub25lIiwia2lkIjoiayJ9.{payload}."), &key(1)), None);
    }
}
