use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::response::PolicyRecord;
use crate::{
    app::App,
    http::{Answer, ErrorBody, Json, Principal},
};

/// The organisation's policies.
#[derive(Debug, Serialize, ToSchema)]
pub struct Policies {
    policies: Vec<PolicyRecord>,
    total: usize,
}

/// List policies
#[utoipa::path(
    get, path = "/api/policy/list", tag = "policies", operation_id = "policies_list",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Full records", body = Policies),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "A permission is missing", body = ErrorBody),
        (status = 413, description = "Body too large", body = ErrorBody),
        (status = 429, description = "Rate limit", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal) -> Answer<Policies> {
    let stored = app.db.policies(caller.org_id).await?;
    let policies = stored.iter().map(PolicyRecord::of).collect::<Result<Vec<_>, _>>()?;
    Ok(Json(Policies { total: policies.len(), policies }))
}
