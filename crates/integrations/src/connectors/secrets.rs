//! Encryption of connector secrets, and connectors with decrypted secrets.
//!
//! A secret is encrypted with the organization's data key and bound to its connector and field, so that it cannot be moved
//! elsewhere. The data key is encrypted with the master key.

use std::{collections::BTreeMap, fmt};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_store::Connector as Stored;
use guardengine_vault::{DataKey, Error, Vault};
use serde_json::{Map, Value};
use uuid::Uuid;
use zeroize::Zeroizing;

use super::catalog::{ConnectorType, of_name};

/// A connector ready for use, with decrypted secrets.
pub struct OpenConnector {
    /// The stored connector.
    pub stored: Stored,
    /// Type of the connector.
    pub kind: &'static ConnectorType,
    settings: Map<String, Value>,
    secrets: BTreeMap<String, Zeroizing<String>>,
}

// Not derived: it holds secrets.
impl fmt::Debug for OpenConnector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Connector({} {})", self.kind.name, self.stored.id)
    }
}

impl OpenConnector {
    /// Creates a connector that is not stored, with these fields.
    #[cfg(test)]
    pub(crate) fn of(kind: &str, fields: &Value) -> Self {
        let text = guardengine_store::ConnectorFields {
            name: "a",
            enabled: true,
            settings: "",
            secrets: "",
            check_at: guardengine_store::Timestamp::default(),
        };
        let stored = Stored::new(Uuid::max(), Uuid::max(), kind, text, text.check_at);
        let settings = fields.as_object().cloned().unwrap_or_default();
        Self { stored, kind: of_name(kind).expect("a known type"), settings, secrets: BTreeMap::new() }
    }

    /// Returns the text of a field, secret or not. Empty if the field is unset or not a text.
    pub fn text(&self, field: &str) -> &str {
        let secret = self.secrets.get(field).map(|secret| secret.as_str());
        secret.or_else(|| self.settings.get(field)?.as_str()).unwrap_or_default()
    }

    /// Returns the value of a boolean field; false if unset.
    pub fn is(&self, field: &str) -> bool {
        self.settings.get(field).and_then(Value::as_bool).unwrap_or_default()
    }
}

/// Decrypts the secrets of a stored connector.
pub async fn open(vault: &Vault, stored: Stored) -> Result<OpenConnector, Error> {
    let key = vault.data_key(stored.org_id).await?;
    let sealed: BTreeMap<String, String> =
        serde_json::from_str(&stored.secrets).map_err(|_| Error::CannotDecrypt)?;
    let decrypt = |(field, sealed): (String, String)| {
        Ok((field.clone(), decrypt_secret(&key, stored.id, &field, &sealed)?.into()))
    };
    let secrets = sealed.into_iter().map(decrypt).collect::<Result<_, Error>>()?;
    let settings = serde_json::from_str(&stored.settings).map_err(|_| Error::CannotDecrypt)?;
    let kind = of_name(&stored.connector_type).ok_or(Error::CannotDecrypt)?;
    Ok(OpenConnector { stored, kind, settings, secrets })
}

fn decrypt_secret(key: &DataKey, id: Uuid, field: &str, sealed: &str) -> Result<String, Error> {
    let sealed = BASE64_STANDARD.decode(sealed).map_err(|_| Error::CannotDecrypt)?;
    String::from_utf8(key.open(&secret_aad(id, field), &sealed)?).map_err(|_| Error::CannotDecrypt)
}

/// Returns the stored form of a connector's secrets: the ones `stored` so far, updated with the encrypted `changed` ones.
pub async fn sealed(
    vault: &Vault,
    (org, id): (Uuid, Uuid),
    stored: Option<&str>,
    changed: &BTreeMap<&'static str, Option<String>>,
) -> Result<String, Error> {
    let key = vault.data_key(org).await?;
    let current = stored.map(serde_json::from_str::<BTreeMap<String, String>>).transpose();
    let mut secrets = current.map_err(|_| Error::CannotDecrypt)?.unwrap_or_default();
    for (field, value) in changed {
        match value {
            Some(value) => {
                let sealed = key.seal(&secret_aad(id, field), value.as_bytes());
                secrets.insert((*field).to_owned(), BASE64_STANDARD.encode(sealed));
            }
            None => drop(secrets.remove(*field)),
        }
    }
    Ok(Value::from_iter(secrets).to_string())
}

/// Returns the associated data that binds a secret to its connector and field.
fn secret_aad(id: Uuid, field: &str) -> String {
    format!("connector {id} {field}")
}
