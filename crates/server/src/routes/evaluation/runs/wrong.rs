use axum::extract::State;
use guardengine_api_types::{ErrorBody, rounded};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_integrations::Integrations;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::Tenants,
    evaluation::{
        cases::open,
        report::EvaluationReport,
        result::{CaseResult, Mistake},
    },
    http::{Answer, Caller, FromFields, Json, NumberedPageParameters, PageQuery, PathId, Query},
    routes::{
        evaluation::{access, response::PlacedCase},
        logs::filter::guardrail,
    },
};

/// Filter of wrong cases.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WrongFilter {
    /// Only cases in which this guardrail is wrong.
    #[param(value_type = Option<crate::schemas::GuardrailName>, inline)]
    guardrail: Option<String>,
}

impl FromFields for WrongFilter {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { guardrail: guardrail(fields)? })
    }
}

/// A guardrail that is wrong about a case.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuardrailMistake {
    #[schema(value_type = crate::schemas::GuardrailName)]
    guardrail: String,
    #[schema(value_type = guardengine_api_types::choices::CaseMistake)]
    mistake: &'static str,
    /// Confidence, 0 to 1.
    confidence: f64,
    /// Threshold in the policy version.
    threshold: f64,
}

/// A case with a wrong result.
#[derive(Debug, Serialize, ToSchema)]
pub struct WrongCase {
    #[serde(flatten)]
    case: PlacedCase,
    #[schema(value_type = guardengine_api_types::choices::Decision)]
    decision: String,
    /// Mistake of the decision; null if it is right or nothing is expected.
    #[schema(value_type = Option<guardengine_api_types::choices::CaseMistake>)]
    mistake: Option<&'static str>,
    /// Guardrails that are wrong.
    guardrails: Vec<GuardrailMistake>,
}

/// A page of wrong cases.
#[derive(Debug, Serialize, ToSchema)]
pub struct WrongCases {
    /// In the order of the dataset.
    cases: Vec<WrongCase>,
    /// Number of wrong cases that pass the filter.
    total: usize,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// List the wrong cases of a run
///
/// Cases in which the decision or a guardrail is wrong. Also needs `LOGS:VIEW_LOG`.
#[utoipa::path(
    get, path = "/api/evaluation/runs/{run_id}/wrong", tag = "evaluation", operation_id = "evaluation_runs_wrong",
    params(
        ("run_id" = uuid::Uuid, Path, description = "Run identifier"),
        WrongFilter,
        NumberedPageParameters,
    ),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of wrong cases", body = WrongCases),
        (status = 403, description = "Missing permission, or the texts are not visible to the caller", body = ErrorBody),
        (status = 404, description = "Run not found", body = ErrorBody),
        (status = 409, description = "The run is not done", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Query(filter): Query<WrongFilter>,
    page: PageQuery<i64>,
) -> Answer<WrongCases> {
    let (run, report, results) = access::finished(&tenants, &caller, id).await?;
    let dataset = access::dataset(&tenants, &caller, run.dataset_id).await?;
    access::may_read_texts(&caller, &dataset)?;
    let key = integrations.vault.data_key(caller.org_id).await?;
    let places: Vec<_> = (0_i64..).zip(&results).filter(|(_, one)| filter.includes(one, &report)).collect();
    let from = page.cursor.unwrap_or(0);
    let rest = places.iter().filter(|(position, _)| *position >= from);
    let mut shown: Vec<_> = rest.take(usize::from(page.limit) + 1).collect();
    let more = if shown.len() > usize::from(page.limit) { shown.pop() } else { None };
    let mut cases = Vec::with_capacity(shown.len());
    for (position, result) in shown {
        let opened = open(&tenants.db, &key, &dataset, *position, 1).await?;
        cases.extend(opened.into_iter().map(|case| WrongCase::of(case.into(), result, &report)));
    }
    let next_cursor = more.map(|(position, _)| position.to_string());
    Ok(Json(WrongCases { cases, total: places.len(), next_cursor }))
}

impl WrongFilter {
    fn includes(&self, result: &CaseResult, report: &EvaluationReport) -> bool {
        let mistakes = mistakes(result, report);
        match &self.guardrail {
            Some(name) => mistakes.iter().any(|one| one.guardrail == *name),
            None => result.mistake().is_some() || !mistakes.is_empty(),
        }
    }
}

impl WrongCase {
    fn of(case: PlacedCase, result: &CaseResult, report: &EvaluationReport) -> Self {
        Self {
            case,
            decision: result.decision.clone(),
            mistake: result.mistake().map(Mistake::name),
            guardrails: mistakes(result, report),
        }
    }
}

fn mistakes(result: &CaseResult, report: &EvaluationReport) -> Vec<GuardrailMistake> {
    let wrong = report.guardrails.iter().filter_map(|one| {
        let mistake = result.mistake_of(&one.guardrail, one.threshold)?;
        Some(GuardrailMistake {
            guardrail: one.guardrail.clone(),
            mistake: mistake.name(),
            confidence: rounded(result.text.confidence(&one.guardrail)),
            threshold: rounded(one.threshold),
        })
    });
    wrong.collect()
}
