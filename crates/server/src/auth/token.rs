//! Access tokens: JWTs (RFC 7519) signed with HS256 (RFC 7518, section 3.2).
//!
//! The `jsonwebtoken` crate's own providers bring RSA or a C build with them; the one algorithm that we use is
//! plugged in here over `hmac` and `sha2`.

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

use crate::vault::{Fault, Vault};
use guardengine_store::{Db, Timestamp};

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

/// What an access token says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The user.
    pub sub: Uuid,
    /// The organisation.
    pub org: Uuid,
    /// The session.
    pub sid: Uuid,
    /// When it was made, seconds since the Unix epoch.
    pub iat: i64,
    /// When it ends, seconds since the Unix epoch.
    pub exp: i64,
    /// Makes two tokens of one second differ.
    pub jti: Uuid,
}

/// The signing keys; the newest signs, all verify.
#[derive(Clone)]
pub struct Tokens(std::sync::Arc<[(String, Vec<u8>)]>);

impl Tokens {
    /// Loads the signing keys, and makes the first one.
    pub async fn load(db: &Db, vault: &Vault, now: Timestamp) -> Result<Self, Fault> {
        // A second service in one process finds it installed already.
        let _installed = PROVIDER.install_default();
        let mut stored = db.signing_keys().await.map_err(std::sync::Arc::new)?;
        if stored.is_empty() {
            let sealed = vault.master().seal(PLACE, &rand::random::<[u8; 32]>());
            stored.push(db.add_signing_key(&sealed, now).await.map_err(std::sync::Arc::new)?);
        }
        let open = |key: &guardengine_store::SigningKey| {
            Ok((key.id.to_string(), vault.master().open(PLACE, &key.sealed)?))
        };
        Ok(Self(stored.iter().map(open).collect::<Result<Vec<_>, Fault>>()?.into()))
    }

    /// Signs `claims`.
    pub fn sign(&self, claims: &Claims) -> Result<String, JwtError> {
        let (id, key) = self.0.first().ok_or(ErrorKind::InvalidKeyFormat)?;
        let header = Header { kid: Some(id.clone()), ..Header::new(Algorithm::HS256) };
        jsonwebtoken::encode(&header, claims, &EncodingKey::from_secret(key))
    }

    /// What `token` says, if one of the keys signed it; whether it is over is the caller's question.
    pub fn verify(&self, token: &str) -> Option<Claims> {
        let id = jsonwebtoken::decode_header(token).ok()?.kid?;
        let (_, key) = self.0.iter().find(|(known, _)| *known == id)?;
        let mut validation = Validation::new(Algorithm::HS256);
        // The service's own clock judges the time.
        validation.validate_exp = false;
        validation.required_spec_claims.clear();
        let decoded = jsonwebtoken::decode::<Claims>(token, &DecodingKey::from_secret(key), &validation);
        decoded.ok().map(|decoded| decoded.claims)
    }
}

/// What sealed signing keys belong to.
pub const PLACE: &str = "installation signing key";

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(key: u8) -> Tokens {
        let _installed = PROVIDER.install_default();
        Tokens(vec![("k".to_owned(), vec![key; 32])].into())
    }

    fn claims() -> Claims {
        let id = Uuid::from_u128(1);
        Claims { sub: id, org: id, sid: id, iat: 0, exp: 60, jti: id }
    }

    #[test]
    fn only_our_key_makes_a_token_that_verifies() {
        let token = tokens(1).sign(&claims()).unwrap();
        assert_eq!(tokens(1).verify(&token), Some(claims()));
        assert_eq!(tokens(2).verify(&token), None);
        let mut altered = token.clone();
        altered.replace_range(token.len() - 2..token.len() - 1, "-");
        assert!(altered == token || tokens(1).verify(&altered).is_none());
    }

    #[test]
    fn a_token_without_a_signature_is_refused() {
        let token = tokens(1).sign(&claims()).unwrap();
        let payload = token.split('.').nth(1).unwrap();
        // {"alg":"none","kid":"k"}
        assert_eq!(tokens(1).verify(&format!("eyJhbGciOiJub25lIiwia2lkIjoiayJ9.{payload}.")), None);
    }
}
