use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission};
use guardengine_store::Deleted;
use serde_json::json;

use super::response::{held, own};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, MessageBody, PathId},
};

/// Member names listed in the error.
const MAX_NAMES: usize = 10;

/// Delete a role
///
/// Roles that members have cannot be deleted. Open invitations to the role are revoked. The caller must hold every permission of the role.
#[utoipa::path(
    delete, path = "/api/roles/{role_id}", tag = "roles", operation_id = "roles_delete",
    params(("role_id" = uuid::Uuid, Path, description = "Role identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Deleted", body = MessageBody),
        (status = 403, description = "Missing permission, or the role has one that the caller lacks", body = ErrorBody),
        (status = 404, description = "Role not found", body = ErrorBody),
        (status = 409, description = "Members have the role, or it is built in", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let role = own(&tenants, &caller, id).await?;
    caller.holds(held(&role))?;
    let mut tx = tenants.audited().await?;
    match tx.delete_role(caller.org_id, id, tenants.clock.now()).await? {
        Deleted::Done => {
            let details = json!({ "name": role.name, "permissions": held(&role).names() });
            audit::commit(tx, &caller, permission::DELETE_ROLE, id, details).await?;
            Ok(Json(MessageBody::new("role deleted")))
        }
        Deleted::Missing => Err(Error::not_found("role")),
        Deleted::InUse(members) => Err(Error::conflict(in_use(&members))),
    }
}

fn in_use(members: &[String]) -> String {
    let count = members.len();
    let noun = if count == 1 { "member" } else { "members" };
    let more = if count > MAX_NAMES { ", …" } else { "" };
    format!("role is in use by {count} {noun}: {}{more}", members[..count.min(MAX_NAMES)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_members_and_lists_the_first() {
        assert_eq!(in_use(&["ann".to_owned()]), "role is in use by 1 member: ann");
        let many: Vec<_> = (0..11).map(|number| number.to_string()).collect();
        assert_eq!(in_use(&many), "role is in use by 11 members: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …");
    }
}
