//! A connector as it is answered: never with a secret.

use std::collections::BTreeSet;

use guardengine_store::{Connector, Timestamp};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    connectors::{of_name, status_of},
    http::{Error, Principal},
};

/// The connector with that id in the caller's organisation, or 404.
pub async fn stored(app: &App, caller: &Principal, id: Uuid) -> Result<Connector, Error> {
    app.db.connector(caller.org_id, id).await?.ok_or_else(|| Error::not_found("connector"))
}

/// What of it may be read.
pub fn settings(connector: &Connector) -> Result<Map<String, Value>, Error> {
    serde_json::from_str(&connector.settings).map_err(Error::internal)
}

/// Which of its secrets are set.
pub fn secrets_set(connector: &Connector) -> Result<BTreeSet<String>, Error> {
    let sealed: Map<String, Value> = serde_json::from_str(&connector.secrets).map_err(Error::internal)?;
    Ok(sealed.into_iter().map(|(field, _)| field).collect())
}

/// A connector, with the fields of its type that are no secrets beside these.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorRecord {
    id: Uuid,
    connector_type: String,
    name: String,
    /// `active`, `error` (the last check or use failed) or `disabled`.
    status: String,
    enabled: bool,
    /// The model of a provider, the account of a cloud; null elsewhere.
    model: Option<Value>,
    /// The fields of the type, as they were written or by default.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    settings: Map<String, Value>,
    /// The secret fields that are set.
    secrets_set: BTreeSet<String>,
    /// When it was checked or used last; null before the first time.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_checked_at: Option<Timestamp>,
    /// Why it could not be used then; null where it could.
    last_error: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl ConnectorRecord {
    /// The record of a stored connector.
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

/// What the audit trail compares: what people wrote, and no secret.
pub fn written(connector: &Connector) -> Result<Value, Error> {
    let mut written = settings(connector)?;
    written.insert("name".to_owned(), connector.name.clone().into());
    written.insert("enabled".to_owned(), connector.enabled.into());
    written.insert("secrets_set".to_owned(), secrets_set(connector)?.into_iter().collect());
    Ok(Value::Object(written))
}
