use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Auth, Principal, audit, permission};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{Member, MemberChanged, Tx};
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    create::new_password,
    response::UserRecord,
    role_rules::{AssignableRole, last_owner},
};
use crate::{
    app::Tenants,
    diff::diff,
    http::{Answer, Body, Caller, Error, FromFields, Json, PathId},
};

/// Fields to change. Absent fields keep their value.
#[derive(Debug, ToSchema)]
pub struct UserChange {
    /// Built-in role, or a role of the organization.
    role: Option<String>,
    /// New password; ends the user's sessions. Change your own password with `POST /api/users/me/password`.
    #[schema(format = "password", min_length = 8)]
    password: Option<String>,
}

impl FromFields for UserChange {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let role = fields.string("role")?.map(str::to_owned);
        Ok(Self { role, password: new_password(fields)? })
    }
}

/// Update a user
///
/// A new role takes effect with the user's next request. Callers cannot change users with permissions that they lack.
/// Only owners can change owners, and the last owner keeps the role.
#[utoipa::path(
    put, path = "/api/users/{user_id}", tag = "users", operation_id = "users_update",
    params(("user_id" = uuid::Uuid, Path, description = "User identifier")),
    request_body = UserChange,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The updated user", body = UserRecord),
        (status = 403, description = "Missing permission, or the change needs an owner", body = ErrorBody),
        (status = 404, description = "User or role not found", body = ErrorBody),
        (status = 409, description = "The last owner, or a user of several organizations, whose password only they can change", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(auth): State<Auth>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Body(change): Body<UserChange>,
) -> Answer<UserRecord> {
    let before = tenants.db.member(caller.org_id, id).await?.ok_or_else(|| Error::not_found("user"))?;
    let granted = allowed(&tenants, &caller, &before, change.role.as_deref()).await?;
    let hash = match &change.password {
        Some(password) => Some(hash_for(&tenants, &auth, &caller, id, password).await?),
        None => None,
    };
    let mut tx = tenants.audited().await?;
    if let Some(role) = &granted {
        grant(&mut tx, &caller, id, role).await?;
    }
    if let Some(hash) = &hash {
        tx.set_password_hash(id, hash, None, tenants.clock.now()).await?;
    }
    let role = granted.unwrap_or_else(|| before.role.clone());
    let details = audit_details(&before.role, &role, hash.is_some());
    audit::commit(tx, &caller, permission::UPDATE_USER, id, details).await?;
    Ok(Json(Member { role, ..before }.into()))
}

/// Returns the requested role, as the organization writes it; 403 unless the caller may change the user and grant the
/// role.
async fn allowed(
    tenants: &Tenants,
    caller: &Principal,
    member: &Member,
    requested: Option<&str>,
) -> Result<Option<String>, Error> {
    let granted = match requested {
        Some(role) => Some(AssignableRole::granted(tenants, caller, role).await?),
        None => None,
    };
    AssignableRole::held(tenants, caller, &member.role).await?.within(caller)?;
    granted.as_ref().map_or(Ok(()), |granted| granted.within(caller))?;
    Ok(granted.map(|granted| granted.role))
}

/// Hashes a new password; refuses the caller's own and that of a user with several organizations.
async fn hash_for(
    tenants: &Tenants,
    auth: &Auth,
    caller: &Principal,
    id: Uuid,
    password: &str,
) -> Result<String, Error> {
    if id == caller.user_id {
        return Err(Error::forbidden("change your own password at /api/users/me/password"));
    }
    if tenants.db.orgs_of_user(id).await?.len() > 1 {
        return Err(Error::conflict(
            "the user belongs to other organizations too and changes the password alone",
        ));
    }
    let hash = auth.passwords().hash(password).await;
    hash.ok_or_else(|| Error::internal("the password could not be hashed"))
}

async fn grant(tx: &mut Tx, caller: &Principal, id: Uuid, role: &str) -> Result<(), Error> {
    match tx.set_role_of_member(caller.org_id, id, role).await? {
        MemberChanged::Done => Ok(()),
        MemberChanged::Missing => Err(Error::not_found("user")),
        MemberChanged::LastOwner => Err(last_owner()),
    }
}

/// Audit details. They record that the password changed, never its value.
fn audit_details(before: &str, after: &str, new_password: bool) -> Value {
    let mut details = diff(&json!({ "role": before }), &json!({ "role": after }));
    if new_password {
        details["password"] = json!("changed");
    }
    details
}
