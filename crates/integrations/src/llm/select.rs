//! Selects the connector for a completion request.

use guardengine_store::Connector as Stored;
use serde_json::Value;
use uuid::Uuid;

use super::LanguageModels;
use crate::{
    Error,
    connectors::{Category, OpenConnector, TYPES, of_name, open},
};

impl LanguageModels {
    /// Returns the AI connector of an organization: the named one, or else the oldest active one. Falls back to a failing
    /// connector: during an outage the caller should try again, not change the request.
    pub async fn of_organisation(&self, org_id: Uuid, named: Option<Uuid>) -> Result<OpenConnector, Error> {
        let connectors = self.db.connectors(org_id).await?;
        let is_usable =
            |one: &Stored| one.enabled && named.is_none_or(|named| one.id == named) && ability(one).is_ok();
        let usable = connectors.into_iter().filter(is_usable);
        let first = usable.min_by_key(|one| (one.status != "active", one.created_at, one.id));
        Ok(open(&self.vault, first.ok_or(Error::NoAiConnector)?).await?)
    }
}

/// Checks that a connector has a model that evaluates and drafts. Otherwise returns the reason.
pub fn ability(connector: &Stored) -> Result<(), Error> {
    let kind = of_name(&connector.connector_type).filter(|kind| kind.is(Category::Ai));
    let Some(kind) = kind else {
        let connector_type = connector.connector_type.clone();
        return Err(Error::NotAnAiConnector { connector_type, supported: supported() });
    };
    let settings: Value = serde_json::from_str(&connector.settings).unwrap_or_default();
    let has_model = kind.model.is_some_and(|field| settings[field].is_string());
    has_model.then_some(()).ok_or(Error::NoCompletionModel)
}

/// Lists the connector types with such models.
fn supported() -> String {
    let names = TYPES.into_iter().filter(|kind| kind.is(Category::Ai)).map(|kind| kind.name);
    names.collect::<Vec<_>>().join(", ")
}
