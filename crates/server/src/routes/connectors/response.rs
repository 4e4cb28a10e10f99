//! The connector object of responses. It never contains a secret.

use std::collections::BTreeSet;

use guardengine_auth::Principal;
use guardengine_integrations::connectors::{of_name, status_of};
use guardengine_store::{Connector, Timestamp};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{app::Tenants, http::Error};

/// Returns the connector with this identifier in the caller's organization, or 404.
pub async fn stored(tenants: &Tenants, caller: &Principal, id: Uuid) -> Result<Connector, Error> {
    tenants.db.connector(caller.org_id, id).await?.ok_or_else(|| Error::not_found("connector"))
}

/// Returns the settings, which contain no secret.
pub fn settings(connector: &Connector) -> Result<Map<String, Value>, Error> {
    serde_json::from_str(&connector.settings).map_err(Error::internal)
}

/// Returns the names of the secrets that are set.
pub fn secrets_set(connector: &Connector) -> Result<BTreeSet<String>, Error> {
    let sealed: Map<String, Value> = serde_json::from_str(&connector.secrets).map_err(Error::internal)?;
    Ok(sealed.into_iter().map(|(field, _)| field).collect())
}

/// A connector, with the settings of its type.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorRecord {
    id: Uuid,
    connector_type: String,
    name: String,
    /// `active`, `error` (the last check or use failed) or `disabled`.
    #[schema(value_type = guardengine_api_types::choices::ConnectorStatus)]
    status: String,
    enabled: bool,
    /// Model of an AI provider or account of a cloud; null for other types.
    model: Option<Value>,
    /// Settings of the type, including defaults.
    #[serde(flatten)]
    #[schema(value_type = std::collections::HashMap<String, Value>)]
    settings: Map<String, Value>,
    /// Names of the secret fields that are set.
    secrets_set: BTreeSet<String>,
    /// Time of the last check or use; null before the first.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_checked_at: Option<Timestamp>,
    /// Error of the last check or use; null on success.
    last_error: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl ConnectorRecord {
    /// Builds the record of a stored connector.
    pub fn of(connector: &Connector) -> Result<Self, Error> {
        let mut settings = settings(connector)?;
        let field = of_name(&connector.connector_type).and_then(|kind| kind.model);
        let model = field.and_then(|field| settings.get(field).cloned());
        settings.remove("model");
        Ok(Self {
            id: connector.id,
            connector_type: connector.connector_type.clone(),
            name: connector.name.clone(),
            status: status_of(connector).to_owned(),
            enabled: connector.enabled,
            model,
            settings,
            secrets_set: secrets_set(connector)?,
            last_checked_at: connector.last_checked_at,
            last_error: connector.last_error.clone(),
            created_at: connector.created_at,
            updated_at: connector.updated_at,
        })
    }
}

/// The fields that the audit trail compares, without secrets.
pub fn written(connector: &Connector) -> Result<Value, Error> {
    let mut written = settings(connector)?;
    written.insert("name".to_owned(), connector.name.clone().into());
    written.insert("enabled".to_owned(), connector.enabled.into());
    written.insert("secrets_set".to_owned(), secrets_set(connector)?.into_iter().collect());
    Ok(Value::Object(written))
}
