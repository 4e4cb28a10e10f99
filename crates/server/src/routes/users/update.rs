use axum::extract::State;
use guardengine_engine::fields::{Fields, Invalid};
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
    app::App,
    audit,
    http::{Answer, Body, Error, ErrorBody, FromFields, Json, PathId, Principal, permission},
};

/// What of the user is to change.
#[derive(Debug, ToSchema)]
pub struct UserChange {
    /// Built in or the organisation's own.
    role: Option<String>,
    /// A new password, which ends the user's sessions; one's own is changed at `/api/users/me/password`.
    #[schema(format = "password")]
    password: Option<String>,
}

impl FromFields for UserChange {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        let role = fields.string("role")?.map(str::to_owned);
        Ok(Self { role, password: new_password(fields)? })
    }
}

/// Change a user
///
/// A new role holds with the user's next request. Nobody changes a user who holds more than they do, only owners
/// change owners, and the last owner stays one.
#[utoipa::path(
    put, path = "/api/users/{user_id}", tag = "users", operation_id = "users_update",
    params(("user_id" = uuid::Uuid, Path, description = "From its creation or the list")),
    request_body = UserChange,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The user as they are now", body = UserRecord),
        (status = 403, description = "A permission is missing, or not an owner", body = ErrorBody),
        (status = 404, description = "No such user or role", body = ErrorBody),
        (status = 409, description = "The last owner, or a password that other organisations share", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
    Body(change): Body<UserChange>,
) -> Answer<UserRecord> {
    let before = app.db.member(caller.org_id, id).await?.ok_or_else(|| Error::not_found("user"))?;
    let granted = allowed(&app, &caller, &before, change.role.as_deref()).await?;
    let hash = match &change.password {
        Some(password) => Some(hash_for(&app, &caller, id, password).await?),
        None => None,
    };
    let mut tx = audit::begin(&app).await?;
    if let Some(role) = &granted {
        grant(&mut tx, &caller, id, role).await?;
    }
    if let Some(hash) = &hash {
        tx.set_password_hash(id, hash, None, app.clock.now()).await?;
    }
    let role = granted.unwrap_or_else(|| before.role.clone());
    let details = told(&before.role, &role, hash.is_some());
    audit::commit(tx, &caller, permission::UPDATE_USER, id, details).await?;
    Ok(Json(Member { role, ..before }.into()))
}

/// The role that is wanted, as the organisation writes it; refuses what is not the caller's to change or to grant.
async fn allowed(
    app: &App,
    caller: &Principal,
    member: &Member,
    wanted: Option<&str>,
) -> Result<Option<String>, Error> {
    let granted = match wanted {
        Some(role) => Some(AssignableRole::granted(app, caller, role).await?),
        None => None,
    };
    AssignableRole::held(app, caller, &member.role).await?.within(caller)?;
    granted.as_ref().map_or(Ok(()), |granted| granted.within(caller))?;
    Ok(granted.map(|granted| granted.role))
}

/// The hash of a user's new password; refuses one that is not the organisation's to set.
async fn hash_for(app: &App, caller: &Principal, id: Uuid, password: &str) -> Result<String, Error> {
    if id == caller.user_id {
        return Err(Error::forbidden("change your own password at /api/users/me/password"));
    }
    if app.db.orgs_of_user(id).await?.len() > 1 {
        return Err(Error::conflict(
            "the user belongs to other organizations too and changes the password alone",
        ));
    }
    let hash = app.passwords.hash(password).await;
    hash.ok_or_else(|| Error::internal("the password could not be hashed"))
}

async fn grant(tx: &mut Tx, caller: &Principal, id: Uuid, role: &str) -> Result<(), Error> {
    match tx.set_role_of_member(caller.org_id, id, role).await? {
        MemberChanged::Done => Ok(()),
        MemberChanged::Missing => Err(Error::not_found("user")),
        MemberChanged::LastOwner => Err(last_owner()),
    }
}

/// That a password changed is told, never which.
fn told(before: &str, after: &str, new_password: bool) -> Value {
    let mut details = audit::changes(&json!({ "role": before }), &json!({ "role": after }));
    if new_password {
        details["password"] = json!("changed");
    }
    details
}
