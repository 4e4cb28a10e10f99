use axum::extract::State;
use guardengine_api_types::ErrorBody;

use super::response::{AlertRecord, stored};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PathId},
};

/// Get an alert rule
#[utoipa::path(
    get, path = "/api/alerts/{alert_id}", tag = "alerts", operation_id = "alerts_get",
    params(("alert_id" = uuid::Uuid, Path, description = "Alert identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The rule", body = AlertRecord),
        (status = 404, description = "Alert not found, or not visible to the caller", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<AlertRecord> {
    Ok(Json(AlertRecord::of(&stored(&tenants, &caller, id).await?)?))
}
