use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use serde_json::json;

use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, MessageBody, PathId},
};

/// Revoke an invitation
///
/// Its link stops working at once.
#[utoipa::path(
    delete, path = "/api/invitations/{invitation_id}", tag = "users", operation_id = "invitations_revoke",
    params(("invitation_id" = uuid::Uuid, Path, description = "Invitation identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Invitation revoked", body = MessageBody),
        (status = 404, description = "Invitation not found", body = ErrorBody),
        (status = 409, description = "The invitation is accepted, revoked or expired", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let now = tenants.clock.now();
    let invitation = tenants.db.invitation(caller.org_id, id, now).await?;
    let invitation = invitation.ok_or_else(|| Error::not_found("invitation"))?;
    let mut tx = tenants.audited().await?;
    if !tx.revoke_invitation(caller.org_id, id, now).await? {
        return Err(Error::conflict("the invitation is no longer open"));
    }
    let details = json!({ "role": invitation.role });
    audit::commit(tx, &caller, "USERS:REVOKE_INVITATION", id, details).await?;
    Ok(Json(MessageBody::new("invitation revoked")))
}
