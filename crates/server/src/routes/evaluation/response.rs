//! The objects of responses: datasets, cases and runs.

use guardengine_evaluation::{ForAll, LabeledText, Negatives, suite::Expect};
use guardengine_store::{EvaluationDataset, EvaluationRun, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A dataset of labeled cases.
#[derive(Debug, Serialize, ToSchema)]
pub struct DatasetRecord {
    dataset_id: Uuid,
    name: String,
    #[schema(value_type = guardengine_api_types::choices::DatasetSource)]
    source: String,
    /// Number of cases.
    cases: i64,
    /// Number of cases that something should flag.
    attacks: i64,
    /// Size of the cases in bytes.
    bytes: i64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Principal: `user:NAME` or `api_key:ID`.
    created_by: String,
}

impl From<EvaluationDataset> for DatasetRecord {
    fn from(dataset: EvaluationDataset) -> Self {
        Self {
            dataset_id: dataset.id,
            name: dataset.name,
            source: dataset.source,
            cases: dataset.cases,
            attacks: dataset.attacks,
            bytes: dataset.bytes,
            created_at: dataset.created_at,
            created_by: dataset.principal,
        }
    }
}

/// A labeled case.
#[derive(Debug, Serialize, ToSchema)]
pub struct CaseRecord {
    text: String,
    /// `user`, `model`, `document`, `tool` or `system`.
    role: String,
    /// Guardrails that it belongs to.
    labels: Vec<String>,
    /// Guardrails that it does not belong to; `all` means every other one.
    negatives: Vec<String>,
    /// `flag`, `pass` or null.
    expect: Option<&'static str>,
    lang: String,
    source: String,
}

impl From<LabeledText> for CaseRecord {
    fn from(case: LabeledText) -> Self {
        Self {
            text: case.text,
            role: if case.role.is_empty() { "user".to_owned() } else { case.role },
            labels: case.labels,
            negatives: match case.negatives {
                Negatives::Listed(listed) => listed,
                Negatives::Every(ForAll::All) => vec!["all".to_owned()],
            },
            expect: case.expect.map(|expect| match expect {
                Expect::Flag => "flag",
                Expect::Pass => "pass",
            }),
            lang: case.lang,
            source: case.source,
        }
    }
}

/// A case with its place in the dataset.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlacedCase {
    /// Place in the dataset, from 0.
    position: i64,
    #[serde(flatten)]
    case: CaseRecord,
}

impl From<(i64, LabeledText)> for PlacedCase {
    fn from((position, case): (i64, LabeledText)) -> Self {
        Self { position, case: case.into() }
    }
}

/// A run of a policy version over a dataset.
#[derive(Debug, Serialize, ToSchema)]
pub struct RunRecord {
    run_id: Uuid,
    dataset_id: Uuid,
    /// Policy, possibly deleted.
    #[serde(rename = "policyId")]
    policy_id: Uuid,
    /// Name of the policy at that time.
    #[serde(rename = "policyName")]
    policy_name: String,
    policy_version: i64,
    #[schema(value_type = guardengine_api_types::choices::RunStatus)]
    status: String,
    /// Number of cases.
    cases: i64,
    /// Number of evaluated cases.
    evaluated: i64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Principal: `user:NAME` or `api_key:ID`.
    created_by: String,
    #[schema(value_type = Option<String>, format = DateTime)]
    finished_at: Option<Timestamp>,
    /// Reason why it failed.
    error: Option<String>,
}

impl From<EvaluationRun> for RunRecord {
    fn from(run: EvaluationRun) -> Self {
        Self {
            run_id: run.id,
            dataset_id: run.dataset_id,
            policy_id: run.policy_id,
            policy_name: run.policy_name,
            policy_version: run.policy_version,
            status: run.state,
            cases: run.cases,
            evaluated: run.position,
            created_at: run.created_at,
            created_by: run.principal,
            finished_at: run.finished_at,
            error: run.error,
        }
    }
}
