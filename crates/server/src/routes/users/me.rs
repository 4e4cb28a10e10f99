use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    auth::sign_in::OrganizationChoice,
    http::{Answer, Json, Principal},
};

/// Who is calling, and what they may do.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    user_id: Uuid,
    username: String,
    /// The organisation that the caller acts in.
    org_id: Uuid,
    /// The caller's role there.
    role: String,
    /// What that role may do, in the catalogue's order.
    permissions: Vec<String>,
    /// Every organisation that the user belongs to.
    organizations: Vec<OrganizationChoice>,
    /// How long a session may be without a request, seconds.
    idle_timeout: u64,
}

/// See oneself
///
/// What a user interface needs to show only what its user may do.
#[utoipa::path(
    get, path = "/api/users/me", tag = "users", operation_id = "users_me",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The caller", body = Me),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal) -> Answer<Me> {
    let organizations = app.db.orgs_of_user(caller.user_id).await?;
    Ok(Json(Me {
        user_id: caller.user_id,
        username: caller.username,
        org_id: caller.org_id,
        role: caller.role,
        permissions: caller.permissions.names(),
        organizations: organizations.into_iter().map(OrganizationChoice::from).collect(),
        idle_timeout: app.settings.session.idle_timeout.as_secs(),
    }))
}
