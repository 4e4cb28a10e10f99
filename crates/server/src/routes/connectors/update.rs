use axum::extract::{Request, State};
use guardengine_engine::fields::Fields;
use guardengine_store::{AuditedTx, Changed, Connector, ConnectorText};
use serde_json::{Value, json};

use super::response::{ConnectorRecord, secrets_set, settings, stored, written};
use crate::{
    app::App,
    audit,
    connectors::{ConnectorInput, CurrentFields, first_check_at, of_name, sealed},
    http::{Answer, Error, ErrorBody, Json, PathId, Principal, json as body, permission},
};

/// Of callers who change a connector at the same time one wins each round; the others read again and try the next.
const ROUNDS: usize = 64;

/// Change a connector
///
/// A field that is absent keeps its value, a secret too; null takes an optional one away. It is checked again at once.
#[utoipa::path(
    put, path = "/api/connectors/{id}", tag = "connectors", operation_id = "connectors_update",
    params(("id" = uuid::Uuid, Path, description = "From its creation or the list")),
    request_body(content = Object, content_type = "application/json", example = json!({ "enabled": false })),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The connector as it is now", body = ConnectorRecord),
        (status = 404, description = "No such connector", body = ErrorBody),
        (status = 409, description = "The name is in use, or too many change it at once", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
    request: Request,
) -> Answer<ConnectorRecord> {
    let body = body(request, &()).await?;
    let fields = Fields::of(&body, "body")?;
    for _ in 0..ROUNDS {
        let before = stored(&app, &caller, id).await?;
        let wanted = wanted(&app, &before, fields)?;
        if let Some((tx, after)) = write(&app, &before, &wanted).await? {
            let details = details(&before, &after, &wanted)?;
            audit::commit(tx, &caller, permission::UPDATE_CONNECTOR, id, details).await?;
            app.egress.forget(id);
            app.connectors_changed.notify_one();
            return Ok(Json(ConnectorRecord::of(&after)?));
        }
    }
    Err(Error::conflict("the connector is being changed by others, try again"))
}

fn wanted(app: &App, before: &Connector, fields: Fields<'_>) -> Result<ConnectorInput, Error> {
    let unknown = || Error::internal(format!("a connector of the type {}", before.connector_type));
    let kind = of_name(&before.connector_type).ok_or_else(unknown)?;
    let held = CurrentFields {
        name: Some(before.name.clone()),
        enabled: before.enabled,
        settings: settings(before)?,
        secrets: secrets_set(before)?,
    };
    Ok(ConnectorInput::read(kind, fields, held, app.egress.network_policy())?)
}

/// Writes the change in a transaction that is left to commit; `None` when somebody else did so first.
async fn write(
    app: &App,
    before: &Connector,
    wanted: &ConnectorInput,
) -> Result<Option<(AuditedTx, Connector)>, Error> {
    let now = app.clock.now();
    let owner = (before.org_id, before.id);
    let text = ConnectorText {
        name: &wanted.name,
        enabled: wanted.enabled,
        settings: &serde_json::to_string(&wanted.settings).map_err(Error::internal)?,
        secrets: &sealed(&app.vault, owner, Some(&before.secrets), &wanted.secrets).await?,
        check_at: first_check_at(&before.connector_type, &before.status, now),
    };
    let mut tx = audit::begin(app).await?;
    match tx.update_connector(before, text, now).await? {
        Changed::Done(connector) => Ok(Some((tx, connector))),
        Changed::Stale => Ok(None),
        Changed::NameTaken => Err(Error::name_taken("a connector")),
        Changed::Missing => Err(Error::not_found("connector")),
    }
}

/// What changed, and which secrets were written anew.
fn details(before: &Connector, after: &Connector, wanted: &ConnectorInput) -> Result<Value, Error> {
    let mut details = audit::changes(&written(before)?, &written(after)?);
    if !wanted.secrets.is_empty() {
        details["secrets_written"] = json!(wanted.secrets.keys().collect::<Vec<_>>());
    }
    Ok(details)
}
