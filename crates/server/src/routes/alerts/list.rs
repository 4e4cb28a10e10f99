use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::response::{AlertRecord, is_visible};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json},
};

/// Alert rules of the organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct Alerts {
    /// By name.
    alerts: Vec<AlertRecord>,
    total: usize,
}

/// List alert rules
///
/// Owners and admins see every rule. Others see those of their projects.
#[utoipa::path(
    get, path = "/api/alerts", tag = "alerts", operation_id = "alerts_list",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The rules", body = Alerts),
    )
)]
pub async fn handle(State(tenants): State<Tenants>, Caller(caller): Caller) -> Answer<Alerts> {
    let mut alerts = Vec::new();
    for rule in tenants.db.alert_rules(caller.org_id).await? {
        if is_visible(&tenants, &caller, &rule).await {
            alerts.push(AlertRecord::of(&rule)?);
        }
    }
    Ok(Json(Alerts { total: alerts.len(), alerts }))
}
