use axum::extract::State;
use guardengine_store::Deleted;
use serde_json::json;

use super::record::stored;
use crate::{
    app::App,
    audit,
    http::{Answer, Caller, Error, ErrorBody, Json, Message, PathId, permission},
};

/// Delete a connector
///
/// With its secrets. One that the tickets of a policy name stays.
#[utoipa::path(
    delete, path = "/api/connectors/{id}", tag = "connectors", operation_id = "connectors_delete",
    params(("id" = uuid::Uuid, Path, description = "From its creation or the list")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "It is gone", body = Message),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "A permission is missing", body = ErrorBody),
        (status = 404, description = "No such connector", body = ErrorBody),
        (status = 409, description = "Policies name it; they are named", body = ErrorBody),
        (status = 413, description = "Body too large", body = ErrorBody),
        (status = 422, description = "Not an id", body = ErrorBody),
        (status = 429, description = "Rate limit", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Caller, PathId(id): PathId) -> Answer<Message> {
    let connector = stored(&app, &caller, id).await?;
    match app.db.delete_connector(caller.org_id, id).await? {
        Deleted::Done => {
            app.outgoing.forget(id);
            let details = json!({ "name": connector.name, "connector_type": connector.connector_type });
            audit::record(&app, &caller, permission::DELETE_CONNECTOR, id, details).await?;
            Ok(Json(Message::new("connector deleted")))
        }
        Deleted::Missing => Err(Error::not_found("connector")),
        Deleted::InUse(policies) => {
            Err(Error::conflict(format!("connector in use by policies: {}", policies.join(", "))))
        }
    }
}
