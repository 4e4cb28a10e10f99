use axum::extract::State;
use guardengine_auth::OrganizationChoice;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::{Operations, Tenants},
    http::{Answer, Caller, Json},
};

/// The current user and their permissions.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    user_id: Uuid,
    username: String,
    /// The organization of the session or API key.
    org_id: Uuid,
    /// Role of the user in this organization.
    role: String,
    /// Permissions of the role, in the order of `GET /api/permissions`.
    #[schema(value_type = Vec<crate::schemas::PermissionName>)]
    permissions: Vec<String>,
    /// All organizations that the user belongs to.
    organizations: Vec<OrganizationChoice>,
    /// Time without a request after which a session ends, seconds.
    idle_timeout: u64,
}

/// Get the current user
///
/// Returns the permissions that a user interface needs to hide what its user cannot do.
#[utoipa::path(
    get, path = "/api/users/me", tag = "users", operation_id = "users_me",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The current user", body = Me),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    Caller(caller): Caller,
) -> Answer<Me> {
    let organizations = tenants.db.orgs_of_user(caller.user_id).await?;
    Ok(Json(Me {
        user_id: caller.user_id,
        username: caller.username,
        org_id: caller.org_id,
        role: caller.role,
        permissions: caller.permissions.names(),
        organizations: organizations.into_iter().map(OrganizationChoice::from).collect(),
        idle_timeout: operations.settings.auth.session.idle_timeout.as_secs(),
    }))
}
