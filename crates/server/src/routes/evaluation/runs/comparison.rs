use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_guard::Guard;
use guardengine_integrations::Integrations;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::Tenants,
    evaluation::{
        cases::open,
        comparison::{GuardrailDifference, Side, flipped, guardrails},
        report::Confusion,
        result::Mistake,
    },
    http::{
        Answer, Caller, Error, FromFields, Json, NumberedPageParameters, PageQuery, PathId, Query,
        optional_id,
    },
    routes::evaluation::{
        access,
        response::{PlacedCase, RunRecord},
    },
};

/// The run to compare with.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ComparisonQuery {
    /// An earlier run over the same dataset.
    base: Uuid,
}

impl FromFields for ComparisonQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { base: optional_id(fields, "base")?.ok_or_else(|| FieldError::required("base"))? })
    }
}

/// A case whose decision differs.
#[derive(Debug, Serialize, ToSchema)]
pub struct FlippedCase {
    #[serde(flatten)]
    case: PlacedCase,
    #[schema(value_type = guardengine_api_types::choices::Decision)]
    base_decision: String,
    #[schema(value_type = guardengine_api_types::choices::Decision)]
    decision: String,
    /// Mistake of the decision in this run; null if it is right or nothing is expected.
    #[schema(value_type = Option<guardengine_api_types::choices::CaseMistake>)]
    mistake: Option<&'static str>,
}

/// Comparison of two runs.
#[derive(Debug, Serialize, ToSchema)]
pub struct RunComparison {
    base: RunRecord,
    run: RunRecord,
    /// Confusion of the decision in the base.
    base_decision: Confusion,
    /// Confusion of the decision in this run.
    decision: Confusion,
    guardrails: Vec<GuardrailDifference>,
    /// Cases whose decision differs, in the order of the dataset.
    flipped: Vec<FlippedCase>,
    /// Number of cases whose decision differs.
    total: usize,
    /// `cursor` of the next page of `flipped`; null on the last page.
    next_cursor: Option<String>,
}

/// Compare two runs
///
/// Differences of each guardrail, and the cases whose decision flipped. Both runs are over the same dataset. Also needs
/// `LOGS:VIEW_LOG`.
#[utoipa::path(
    get, path = "/api/evaluation/runs/{run_id}/comparison", tag = "evaluation",
    operation_id = "evaluation_runs_compare",
    params(
        ("run_id" = Uuid, Path, description = "Run identifier"),
        ComparisonQuery,
        NumberedPageParameters,
    ),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The comparison", body = RunComparison),
        (status = 403, description = "Missing permission, or the texts are not visible to the caller", body = ErrorBody),
        (status = 404, description = "Run not found", body = ErrorBody),
        (status = 409, description = "A run is not done, or the runs are over different datasets", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Query(ComparisonQuery { base }): Query<ComparisonQuery>,
    page: PageQuery<i64>,
) -> Answer<RunComparison> {
    let (run, report, results) = access::finished(&tenants, &caller, id).await?;
    let (base, base_report, base_results) = access::finished(&tenants, &caller, base).await?;
    if base.dataset_id != run.dataset_id {
        return Err(Error::conflict("the runs are over different datasets"));
    }
    let dataset = access::dataset(&tenants, &caller, run.dataset_id).await?;
    access::may_read_texts(&caller, &dataset)?;
    let (decision, base_decision) = (report.decision.clone(), base_report.decision.clone());
    let places = flipped(&base_results, &results);
    let from = page.cursor.and_then(|from| usize::try_from(from).ok()).unwrap_or(0);
    let shown: Vec<_> =
        places.iter().copied().filter(|at| *at >= from).take(usize::from(page.limit)).collect();
    let next = places.iter().copied().find(|at| shown.last().is_some_and(|last| at > last));
    let key = integrations.vault.data_key(caller.org_id).await?;
    let mut cases = Vec::with_capacity(shown.len());
    for at in shown {
        let opened = open(&tenants.db, &key, &dataset, at as i64, 1).await?;
        cases.extend(opened.into_iter().map(|case| FlippedCase {
            case: case.into(),
            base_decision: base_results[at].decision.clone(),
            decision: results[at].decision.clone(),
            mistake: results[at].mistake().map(Mistake::name),
        }));
    }
    let compare = move || {
        let side = |results, report| Side { results, report };
        guardrails(side(&base_results, &base_report), side(&results, &report))
    };
    Ok(Json(RunComparison {
        base: base.into(),
        run: run.into(),
        base_decision,
        decision,
        guardrails: guard.compile_draft(caller.org_id, compare).await?,
        flipped: cases,
        total: places.len(),
        next_cursor: next.map(|at| at.to_string()),
    }))
}
