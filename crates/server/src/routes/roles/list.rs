use axum::extract::State;
use guardengine_store::Page;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{built_in, response::RoleRecord};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PageParameters, PageQuery},
};

/// A page of roles.
#[derive(Debug, Serialize, ToSchema)]
pub struct Roles {
    /// Roles of the organization, newest first, then the built-in roles.
    roles: Vec<RoleRecord>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<Uuid>,
}

/// List roles
#[utoipa::path(
    get, path = "/api/roles", tag = "roles", operation_id = "roles_list",
    params(PageParameters),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of the roles", body = Roles),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    page: PageQuery,
) -> Answer<Roles> {
    let page = page.page();
    let own = tenants.db.roles(caller.org_id, page).await?;
    let mut roles: Vec<_> = own.rows.into_iter().map(RoleRecord::from).collect();
    if own.next.is_some() {
        return Ok(Json(Roles { roles, next_cursor: own.next }));
    }
    roles.extend(built_in_on(page));
    let next_cursor = cut(&mut roles, usize::from(page.limit));
    Ok(Json(Roles { roles, next_cursor }))
}

fn built_in_on(page: Page) -> impl Iterator<Item = RoleRecord> {
    let is_after = move |id: Uuid| page.before.is_none_or(|before| id < before);
    built_in::all().filter(move |(id, _)| is_after(*id)).map(|(id, name)| RoleRecord::built_in(id, name))
}

/// Truncates a list to `limit`; returns the cursor of the next page, if there is one.
fn cut(roles: &mut Vec<RoleRecord>, limit: usize) -> Option<Uuid> {
    let is_more = roles.len() > limit;
    roles.truncate(limit);
    roles.last().map(RoleRecord::id).filter(|_| is_more)
}
