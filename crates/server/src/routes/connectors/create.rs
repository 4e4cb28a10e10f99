use axum::extract::{Request, State};
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission};
use guardengine_engine::fields::Fields;
use guardengine_integrations::{
    Integrations,
    connectors::{ConnectorInput, ConnectorType, CurrentFields, first_check_at, of_name, sealed},
};
use guardengine_store::{Connector, ConnectorText, Created, new_id};
use uuid::Uuid;

use super::response::ConnectorRecord;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, PathParam, json},
};

/// Create a connector
///
/// The last path segment is the connector type. A background check starts at once and updates `status`.
#[utoipa::path(
    post, path = "/api/connectors/{id}", tag = "connectors", operation_id = "connectors_create",
    params(("id" = String, Path, description = "Connector type")),
    request_body = Object,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The connector", body = ConnectorRecord),
        (status = 409, description = "The name is taken", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    PathParam(kind): PathParam,
    request: Request,
) -> Answer<ConnectorRecord> {
    let kind = of_name(&kind).ok_or_else(|| Error::not_found("connector type"))?;
    let body = json(request, &()).await?;
    let input = ConnectorInput::read(
        kind,
        Fields::of(&body, "body")?,
        CurrentFields::nothing(),
        integrations.egress.network_policy(),
    )?;
    let new = new(&tenants, &integrations, caller.org_id, kind, &input).await?;
    let mut tx = tenants.audited().await?;
    match tx.create_connector(new).await? {
        Created::Done(made) => {
            let details = serde_json::json!({ "name": made.name, "connector_type": made.connector_type });
            audit::commit(tx, &caller, permission::CREATE_CONNECTOR, made.id, details).await?;
            integrations.connectors_changed.notify_one();
            Ok(Json(ConnectorRecord::of(&made)?))
        }
        Created::NameTaken => Err(Error::name_taken("a connector")),
    }
}

async fn new(
    tenants: &Tenants,
    integrations: &Integrations,
    org: Uuid,
    kind: &ConnectorType,
    input: &ConnectorInput,
) -> Result<Connector, Error> {
    let now = tenants.clock.now();
    let id = new_id(now);
    let text = ConnectorText {
        name: &input.name,
        enabled: input.enabled,
        settings: &serde_json::to_string(&input.settings).map_err(Error::internal)?,
        secrets: &sealed(&integrations.vault, (org, id), None, &input.secrets).await?,
        check_at: first_check_at(kind.name, "active", now),
    };
    Ok(Connector::new(id, org, kind.name, text, now))
}
