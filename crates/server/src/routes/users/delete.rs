use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission};
use guardengine_store::MemberChanged;
use serde_json::json;

use super::role_rules::{AssignableRole, last_owner};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, MessageBody, PathId},
};

/// Remove a user from the organization
///
/// Ends their sessions and API keys in this organization at once. The username of a user without another organization
/// becomes available.
#[utoipa::path(
    delete, path = "/api/users/{user_id}", tag = "users", operation_id = "users_delete",
    params(("user_id" = uuid::Uuid, Path, description = "User identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "User removed", body = MessageBody),
        (status = 403, description = "Missing permission, or the change needs an owner", body = ErrorBody),
        (status = 404, description = "User not found", body = ErrorBody),
        (status = 409, description = "The last owner cannot be removed", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let member = tenants.db.member(caller.org_id, id).await?.ok_or_else(|| Error::not_found("user"))?;
    AssignableRole::held(&tenants, &caller, &member.role).await?.within(&caller)?;
    let mut tx = tenants.audited().await?;
    match tx.remove_member(caller.org_id, id, tenants.clock.now()).await? {
        MemberChanged::Done => {
            let details = json!({ "username": member.username, "role": member.role });
            audit::commit(tx, &caller, permission::DELETE_USER, id, details).await?;
            Ok(Json(MessageBody::new("user removed")))
        }
        MemberChanged::Missing => Err(Error::not_found("user")),
        MemberChanged::LastOwner => Err(last_owner()),
    }
}
