use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::response::UserRecord;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PageParameters, PageQuery},
};

/// A page of the organization's users.
#[derive(Debug, Serialize, ToSchema)]
pub struct Users {
    /// Newest first.
    users: Vec<UserRecord>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<Uuid>,
}

/// List users
#[utoipa::path(
    get, path = "/api/users", tag = "users", operation_id = "users_list",
    params(PageParameters),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of the users", body = Users),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    page: PageQuery,
) -> Answer<Users> {
    let members = tenants.db.members(caller.org_id, page.page()).await?;
    let users = members.rows.into_iter().map(UserRecord::from).collect();
    Ok(Json(Users { users, next_cursor: members.next }))
}
