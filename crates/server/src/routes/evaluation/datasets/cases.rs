use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_integrations::Integrations;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::Tenants,
    evaluation::cases::open,
    http::{Answer, Caller, Json, NumberedPageParameters, PageQuery, PathId},
    routes::evaluation::{access, response::PlacedCase},
};

/// A page of cases.
#[derive(Debug, Serialize, ToSchema)]
pub struct Cases {
    /// In the order of the dataset.
    cases: Vec<PlacedCase>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// List the cases of a dataset
///
/// Also needs `LOGS:VIEW_LOG`. Cases made from feedback are visible to their creator, owners and admins.
#[utoipa::path(
    get, path = "/api/evaluation/datasets/{dataset_id}/cases", tag = "evaluation",
    operation_id = "evaluation_datasets_cases",
    params(
        ("dataset_id" = uuid::Uuid, Path, description = "Dataset identifier"),
        NumberedPageParameters,
    ),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of cases", body = Cases),
        (status = 403, description = "Missing permission, or the texts are not visible to the caller", body = ErrorBody),
        (status = 404, description = "Dataset not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    PathId(id): PathId,
    page: PageQuery<i64>,
) -> Answer<Cases> {
    let dataset = access::dataset(&tenants, &caller, id).await?;
    access::may_read_texts(&caller, &dataset)?;
    let key = integrations.vault.data_key(caller.org_id).await?;
    let from = page.cursor.unwrap_or(0);
    let found = open(&tenants.db, &key, &dataset, from, i64::from(page.limit)).await?;
    let next = from.saturating_add(found.len() as i64);
    let next_cursor = (!found.is_empty() && next < dataset.cases).then(|| next.to_string());
    Ok(Json(Cases { cases: found.into_iter().map(PlacedCase::from).collect(), next_cursor }))
}
