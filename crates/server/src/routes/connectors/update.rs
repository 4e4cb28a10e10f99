use axum::extract::{Request, State};
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Principal, audit, permission};
use guardengine_engine::fields::Fields;
use guardengine_integrations::{
    Integrations,
    connectors::{ConnectorInput, CurrentFields, first_check_at, of_name, sealed},
};
use guardengine_store::{AuditedTx, Changed, Connector, ConnectorFields};
use serde_json::{Value, json};

use super::openapi::ConnectorChange;
use super::response::{ConnectorRecord, secrets_set, settings, stored, written};
use crate::{
    app::Tenants,
    diff::diff,
    http::{Answer, Caller, Error, Json, PathId, json as body},
    routes::events::subscriptions::response::may_redirect,
};

/// Attempts under concurrent changes: in each round one caller succeeds, the others read the connector again.
const ROUNDS: usize = 64;

/// Update a connector
///
/// Absent fields and secrets keep their value; null removes an optional field. When an address names another server
/// (scheme, host or port), the secrets must be sent again. The address of a webhook with an event subscription can be
/// changed by members of the subscription's projects. The connector is checked again at once.
#[utoipa::path(
    put, path = "/api/connectors/{id}", tag = "connectors", operation_id = "connectors_update",
    params(("id" = uuid::Uuid, Path, description = "Connector identifier")),
    request_body(content = ConnectorChange, content_type = "application/json", example = json!({ "enabled": false })),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The updated connector", body = ConnectorRecord),
        (status = 403, description = "Missing permission, or not a member of the projects whose events go to the address", body = ErrorBody),
        (status = 404, description = "Connector not found", body = ErrorBody),
        (status = 409, description = "The name is taken, or too many concurrent changes", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    PathId(id): PathId,
    request: Request,
) -> Answer<ConnectorRecord> {
    let body = body(request, &()).await?;
    let fields = Fields::of(&body, "body")?;
    for _ in 0..ROUNDS {
        let before = stored(&tenants, &caller, id).await?;
        let input = input(&integrations, &before, fields)?;
        may_redirect_events(&tenants, &caller, &before, &input).await?;
        if let Some((tx, after)) = write(&tenants, &integrations, &before, &input).await? {
            let details = details(&before, &after, &input)?;
            audit::commit(tx, &caller, permission::UPDATE_CONNECTOR, id, details).await?;
            integrations.egress.forget(id);
            integrations.connectors_changed.notify_one();
            return Ok(Json(ConnectorRecord::of(&after)?));
        }
    }
    Err(Error::conflict("the connector is being changed by others, try again"))
}

fn input(
    integrations: &Integrations,
    before: &Connector,
    fields: Fields<'_>,
) -> Result<ConnectorInput, Error> {
    let unknown = || Error::internal(format!("a connector of the type {}", before.connector_type));
    let kind = of_name(&before.connector_type).ok_or_else(unknown)?;
    let held = CurrentFields {
        name: Some(before.name.clone()),
        enabled: before.enabled,
        settings: settings(before)?,
        secrets: secrets_set(before)?,
    };
    Ok(ConnectorInput::read(kind, fields, held, integrations.egress.network_policy())?)
}

/// Returns an error if the change sends the events of projects elsewhere of which the caller is no member.
async fn may_redirect_events(
    tenants: &Tenants,
    caller: &Principal,
    before: &Connector,
    input: &ConnectorInput,
) -> Result<(), Error> {
    if before.connector_type != "webhook" || settings(before)?.get("url") == input.settings.get("url") {
        return Ok(());
    }
    let subscriptions = tenants.db.event_subscriptions(before.org_id).await?;
    for subscription in subscriptions.iter().filter(|one| one.connector_id == before.id) {
        may_redirect(tenants, caller, subscription).await?;
    }
    Ok(())
}

/// Writes the change in a transaction that the caller commits; `None` if a concurrent change came first.
async fn write(
    tenants: &Tenants,
    integrations: &Integrations,
    before: &Connector,
    input: &ConnectorInput,
) -> Result<Option<(AuditedTx, Connector)>, Error> {
    let now = tenants.clock.now();
    let owner = (before.org_id, before.id);
    let text = ConnectorFields {
        name: &input.name,
        enabled: input.enabled,
        settings: &serde_json::to_string(&input.settings).map_err(Error::internal)?,
        secrets: &sealed(&integrations.vault, owner, Some(&before.secrets), &input.secrets).await?,
        check_at: first_check_at(&before.connector_type, &before.status, now),
    };
    let mut tx = tenants.audited().await?;
    match tx.update_connector(before, text, now).await? {
        Changed::Done(connector) => Ok(Some((tx, connector))),
        Changed::Stale => Ok(None),
        Changed::NameTaken => Err(Error::name_taken("a connector")),
        Changed::Missing => Err(Error::not_found("connector")),
    }
}

/// Audit details: changed fields and the names of replaced secrets.
fn details(before: &Connector, after: &Connector, input: &ConnectorInput) -> Result<Value, Error> {
    let mut details = diff(&written(before)?, &written(after)?);
    if !input.secrets.is_empty() {
        details["secrets_written"] = json!(input.secrets.keys().collect::<Vec<_>>());
    }
    Ok(details)
}
