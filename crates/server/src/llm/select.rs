//! Which connector is asked.

use guardengine_store::Connector as Stored;
use serde_json::Value;
use uuid::Uuid;

use super::LanguageModels;
use crate::{
    connectors::{Category, OpenConnector, TYPES, of_name, open},
    http::Error,
};

impl LanguageModels {
    /// The connector that answers for an organisation: the one that is named, else the oldest. One that failed lately
    /// is asked where no other is active: what is down for now is 503, not 400.
    pub async fn of_organisation(&self, org_id: Uuid, named: Option<Uuid>) -> Result<OpenConnector, Error> {
        let connectors = self.db.connectors(org_id).await?;
        let can_be_asked =
            |one: &Stored| one.enabled && named.is_none_or(|named| one.id == named) && ability(one).is_ok();
        let able = connectors.into_iter().filter(can_be_asked);
        let first = able.min_by_key(|one| (one.status != "active", one.created_at, one.id));
        let none = || Error::bad_request("no active AI connector for the organisation");
        Ok(open(&self.vault, first.ok_or_else(none)?).await?)
    }
}

/// Whether a connector leads to a model that judges and drafts; 400 says why not.
pub fn ability(connector: &Stored) -> Result<(), Error> {
    let kind = of_name(&connector.connector_type).filter(|kind| kind.is(Category::Ai));
    let Some(kind) = kind else {
        return Err(Error::bad_request(format!(
            "AI generation is not supported for connector type {}; supported: {}",
            connector.connector_type,
            supported()
        )));
    };
    let settings: Value = serde_json::from_str(&connector.settings).unwrap_or_default();
    let has_model = kind.model.is_some_and(|field| settings[field].is_string());
    has_model.then_some(()).ok_or_else(|| Error::bad_request("the connector names no model that answers"))
}

/// The types that lead to such models.
fn supported() -> String {
    let able = TYPES.into_iter().filter(|kind| kind.is(Category::Ai)).map(|kind| kind.name);
    able.collect::<Vec<_>>().join(", ")
}
