use axum::extract::State;
use guardengine_integrations::connectors::{Category, of_name, status_of};
use guardengine_store::Connector;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Answer, Caller, Json},
};

/// A connector in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedConnector {
    id: Uuid,
    connector_type: String,
    name: String,
    /// `active`, `error` or `disabled`.
    #[schema(value_type = guardengine_api_types::choices::ConnectorStatus)]
    status: String,
    enabled: bool,
}

impl ListedConnector {
    fn of(connector: Connector) -> Self {
        let status = status_of(&connector).to_owned();
        let Connector { id, connector_type, name, enabled, .. } = connector;
        Self { id, connector_type, name, status, enabled }
    }

    fn is_cloud(&self) -> bool {
        of_name(&self.connector_type).is_some_and(|kind| kind.is(Category::Cloud))
    }
}

/// Connectors of the organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct Connectors {
    connectors: Vec<ListedConnector>,
    total: usize,
    /// Number of cloud accounts.
    cloudprovider_accounts: usize,
    /// True if a cloud account is active.
    #[serde(rename = "isCloudproviderConnected")]
    is_cloudprovider_connected: bool,
}

/// List connectors
#[utoipa::path(
    get, path = "/api/connectors/list", tag = "connectors", operation_id = "connectors_list",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The connectors, sorted by name", body = Connectors),
    )
)]
pub async fn handle(State(tenants): State<Tenants>, Caller(caller): Caller) -> Answer<Connectors> {
    let stored = tenants.db.connectors(caller.org_id).await?;
    let connectors: Vec<_> = stored.into_iter().map(ListedConnector::of).collect();
    let clouds = || connectors.iter().filter(|one| one.is_cloud());
    Ok(Json(Connectors {
        total: connectors.len(),
        cloudprovider_accounts: clouds().count(),
        is_cloudprovider_connected: clouds().any(|one| one.status == "active"),
        connectors,
    }))
}
