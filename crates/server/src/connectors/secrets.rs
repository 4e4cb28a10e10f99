//! Connectors with their secrets, to be used; and how these are kept.
//!
//! A secret is sealed under the organisation's data key for its connector and its field, so that it opens nowhere else;
//! the data key is sealed under the master key.

use std::{collections::BTreeMap, fmt};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_store::Connector as Stored;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::catalog::{ConnectorType, of_name};
use guardengine_vault::{DataKey, Error, Vault};

/// A connector that can be used.
pub struct OpenConnector {
    /// As it is stored.
    pub stored: Stored,
    /// Its type.
    pub kind: &'static ConnectorType,
    settings: Map<String, Value>,
    secrets: BTreeMap<String, String>,
}

// It holds secrets.
impl fmt::Debug for OpenConnector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Connector({} {})", self.kind.name, self.stored.id)
    }
}

impl OpenConnector {
    /// One that nobody stored, with these fields.
    #[cfg(test)]
    pub(crate) fn of(kind: &str, fields: &Value) -> Self {
        let text = guardengine_store::ConnectorText {
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

    /// What it has of a field, secret or not; empty where that is not set, or no text.
    pub fn text(&self, field: &str) -> &str {
        let secret = self.secrets.get(field).map(String::as_str);
        secret.or_else(|| self.settings.get(field)?.as_str()).unwrap_or_default()
    }

    /// Whether a field that is true or false is true.
    pub fn is(&self, field: &str) -> bool {
        self.settings.get(field).and_then(Value::as_bool).unwrap_or_default()
    }
}

/// Opens a stored connector.
pub async fn open(vault: &Vault, stored: Stored) -> Result<OpenConnector, Error> {
    let key = vault.data_key(stored.org_id).await?;
    let sealed: BTreeMap<String, String> =
        serde_json::from_str(&stored.secrets).map_err(|_| Error::CannotDecrypt)?;
    let opened =
        |(field, sealed): (String, String)| Ok((field.clone(), opened(&key, stored.id, &field, &sealed)?));
    let secrets = sealed.into_iter().map(opened).collect::<Result<_, Error>>()?;
    let settings = serde_json::from_str(&stored.settings).map_err(|_| Error::CannotDecrypt)?;
    let kind = of_name(&stored.connector_type).ok_or(Error::CannotDecrypt)?;
    Ok(OpenConnector { stored, kind, settings, secrets })
}

fn opened(key: &DataKey, id: Uuid, field: &str, sealed: &str) -> Result<String, Error> {
    let sealed = BASE64_STANDARD.decode(sealed).map_err(|_| Error::CannotDecrypt)?;
    String::from_utf8(key.open(&place(id, field), &sealed)?).map_err(|_| Error::CannotDecrypt)
}

/// The secrets of the connector `id`, as they are stored: those that were, with `changed` sealed over them.
pub async fn sealed(
    vault: &Vault,
    (org, id): (Uuid, Uuid),
    stored: Option<&str>,
    changed: &BTreeMap<&'static str, Option<String>>,
) -> Result<String, Error> {
    let key = vault.data_key(org).await?;
    let held = stored.map(serde_json::from_str::<BTreeMap<String, String>>).transpose();
    let mut secrets = held.map_err(|_| Error::CannotDecrypt)?.unwrap_or_default();
    for (field, value) in changed {
        match value {
            Some(value) => {
                let sealed = key.seal(&place(id, field), value.as_bytes());
                secrets.insert((*field).to_owned(), BASE64_STANDARD.encode(sealed));
            }
            None => drop(secrets.remove(*field)),
        }
    }
    Ok(Value::from_iter(secrets).to_string())
}

/// What a secret belongs to.
fn place(id: Uuid, field: &str) -> String {
    format!("connector {id} {field}")
}
