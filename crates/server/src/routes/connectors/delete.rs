use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission};
use guardengine_integrations::Integrations;
use guardengine_store::Deleted;
use serde_json::json;
use uuid::Uuid;

use super::response::stored;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, MessageBody, PathId},
};

/// Delete a connector
///
/// Deletes the connector and its secrets. A connector that a policy, the gateway of a project or an
/// event subscription uses cannot be deleted.
#[utoipa::path(
    delete, path = "/api/connectors/{id}", tag = "connectors", operation_id = "connectors_delete",
    params(("id" = uuid::Uuid, Path, description = "Connector identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Deleted", body = MessageBody),
        (status = 404, description = "Connector not found", body = ErrorBody),
        (status = 409, description = "Policies, gateways of projects or an event subscription use the connector; `detail` lists them", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let connector = stored(&tenants, &caller, id).await?;
    let mut tx = tenants.audited().await?;
    match tx.delete_connector(caller.org_id, id).await? {
        Deleted::Done => {
            let details = json!({ "name": connector.name, "connector_type": connector.connector_type });
            audit::commit(tx, &caller, permission::DELETE_CONNECTOR, id, details).await?;
            integrations.egress.forget(id);
            Ok(Json(MessageBody::new("connector deleted")))
        }
        Deleted::Missing => Err(Error::not_found("connector")),
        Deleted::InUse(policies) => {
            drop(tx);
            let projects = tenants.db.projects_of_connector(caller.org_id, id).await?;
            let subscription = tenants.db.subscription_of_connector(caller.org_id, id).await?;
            Err(Error::conflict(in_use(&policies, &projects, subscription)))
        }
    }
}

fn in_use(policies: &[String], projects: &[String], subscription: Option<Uuid>) -> String {
    let named = [("policies", policies), ("projects", projects)].into_iter();
    let named = named.filter(|(_, names)| !names.is_empty());
    let named = named.map(|(kind, names)| format!("{kind}: {}", names.join(", ")));
    let subscription = subscription.map(|id| format!("event subscription: {id}"));
    let users: Vec<_> = named.chain(subscription).collect();
    format!("connector in use by {}", users.join("; "))
}
