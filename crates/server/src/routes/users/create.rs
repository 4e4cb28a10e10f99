use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Auth, audit, passwords::broken_rule, permission};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{Created, NewUser as NewMember};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::role_rules::AssignableRole;
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, required_name},
};

/// A user to create.
#[derive(Debug, ToSchema)]
pub struct NewUser {
    /// 1 to 100 characters, unique across all organizations.
    #[schema(value_type = crate::schemas::NewName)]
    username: String,
    /// At least 8 characters, with an upper-case letter, a lower-case letter and a digit.
    #[schema(format = "password", min_length = 8)]
    password: String,
    /// `owner`, `admin`, `developer`, `analyst`, `viewer`, or a role of the organization.
    role: String,
}

impl FromFields for NewUser {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let username = required_name(fields, "username")?;
        let password = new_password(fields)?.ok_or_else(|| FieldError::required("password"))?;
        Ok(Self { username, password, role: fields.required_string("role")?.to_owned() })
    }
}

/// Reads the field `password` and checks the password rules.
pub fn new_password(fields: Fields<'_>) -> Result<Option<String>, FieldError> {
    let Some(password) = fields.string("password")? else { return Ok(None) };
    broken_rule(password)
        .map_or_else(|| Ok(Some(password.to_owned())), |rule| Err(FieldError::value("password", rule)))
}

/// The created user.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedUser {
    user_id: Uuid,
    username: String,
    role: String,
}

/// Create a user
///
/// The user joins the caller's organization. Callers can only grant roles whose permissions they hold; only owners can
/// create owners.
#[utoipa::path(
    post, path = "/api/users", tag = "users", operation_id = "users_create",
    request_body = NewUser,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The created user", body = CreatedUser),
        (status = 404, description = "Role not found", body = ErrorBody),
        (status = 409, description = "The name is taken", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(auth): State<Auth>,
    Caller(caller): Caller,
    Body(new): Body<NewUser>,
) -> Answer<CreatedUser> {
    let granted = AssignableRole::granted(&tenants, &caller, &new.role).await?;
    granted.within(&caller)?;
    let hash = auth.passwords().hash(&new.password).await;
    let hash = hash.ok_or_else(|| Error::internal("the password could not be hashed"))?;
    let member = NewMember {
        username: &new.username,
        password_hash: &hash,
        org_id: caller.org_id,
        role: &granted.role,
    };
    let mut tx = tenants.audited().await?;
    match tx.create_user(member, tenants.clock.now()).await? {
        Created::Done(made) => {
            let details = json!({ "username": made.username, "role": granted.role });
            audit::commit(tx, &caller, permission::CREATE_USER, made.id, details).await?;
            Ok(Json(CreatedUser { user_id: made.id, username: made.username, role: granted.role }))
        }
        Created::NameTaken => Err(Error::name_taken("a user")),
    }
}
