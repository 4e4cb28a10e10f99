use axum::extract::State;
use guardengine_store::MemberChanged;
use serde_json::json;

use super::role_rules::{AssignableRole, last_owner};
use crate::{
    app::App,
    audit,
    http::{Answer, Error, ErrorBody, Json, MessageBody, PathId, Principal, permission},
};

/// Remove a user from the organisation
///
/// Their sessions and API keys here end at once. A user who belongs to no other organisation gives the name back.
#[utoipa::path(
    delete, path = "/api/users/{user_id}", tag = "users", operation_id = "users_delete",
    params(("user_id" = uuid::Uuid, Path, description = "From its creation or the list")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "They no longer belong to it", body = MessageBody),
        (status = 403, description = "A permission is missing, or not an owner", body = ErrorBody),
        (status = 404, description = "No such user", body = ErrorBody),
        (status = 409, description = "The last owner", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal, PathId(id): PathId) -> Answer<MessageBody> {
    let member = app.db.member(caller.org_id, id).await?.ok_or_else(|| Error::not_found("user"))?;
    AssignableRole::held(&app, &caller, &member.role).await?.within(&caller)?;
    let mut tx = audit::begin(&app).await?;
    match tx.remove_member(caller.org_id, id, app.clock.now()).await? {
        MemberChanged::Done => {
            let details = json!({ "username": member.username, "role": member.role });
            audit::commit(tx, &caller, permission::DELETE_USER, id, details).await?;
            Ok(Json(MessageBody::new("user removed")))
        }
        MemberChanged::Missing => Err(Error::not_found("user")),
        MemberChanged::LastOwner => Err(last_owner()),
    }
}
