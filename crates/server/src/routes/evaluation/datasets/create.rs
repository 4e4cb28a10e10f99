use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Principal, audit};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_evaluation::LabeledText;
use guardengine_integrations::Integrations;
use guardengine_store::{DatasetLimits, DatasetRefusal, EvaluationDataset, new_id};
use serde_json::json;
use utoipa::ToSchema;

use crate::{
    app::Tenants,
    evaluation::{
        MAX_DATASETS, MAX_ORG_BYTES, actions, cases,
        file::{Format, parse},
    },
    http::{Answer, Caller, Error, FromFields, Json, Upload, required_name},
    routes::evaluation::response::DatasetRecord,
};

/// Accepted values of `format`.
pub(super) const FORMATS: [(&str, Format); 2] = [("jsonl", Format::JsonLines), ("csv", Format::Csv)];

const LIMITS: DatasetLimits = DatasetLimits { datasets: MAX_DATASETS, bytes: MAX_ORG_BYTES };

/// A file of labeled cases.
#[derive(Debug, ToSchema)]
pub struct DatasetForm {
    /// At most 10,000 cases and 16 MiB, as JSON lines or comma-separated values. A case has a text of at most 20,000
    /// characters, and `labels`, `negatives` or `expect`.
    #[schema(value_type = String, format = Binary)]
    #[expect(dead_code, reason = "describes the form")]
    file: (),
    /// Name of the dataset, 1 to 100 characters.
    #[schema(value_type = crate::schemas::NewName)]
    name: String,
    /// `jsonl` (default) or `csv`.
    #[schema(value_type = Option<String>)]
    format: Format,
}

impl FromFields for DatasetForm {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            file: (),
            name: required_name(fields, "name")?,
            format: fields.choice("format", &FORMATS)?.unwrap_or(Format::JsonLines),
        })
    }
}

/// Create a dataset
///
/// From a file in the format of the suites of `guardengine eval`, or from comma-separated values. The error names the
/// first line that is not a case.
#[utoipa::path(
    post, path = "/api/evaluation/datasets", tag = "evaluation", operation_id = "evaluation_datasets_create",
    request_body(content = DatasetForm, content_type = "multipart/form-data"),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The created dataset", body = DatasetRecord),
        (status = 409, description = "The organization has too many datasets", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    upload: Upload<DatasetForm>,
) -> Answer<DatasetRecord> {
    let parsed = parse(upload.fields.format, &upload.file);
    if let Some(first) = parsed.errors.first() {
        return Err(Error::unprocessable(format!("file: line {}: {}", first.line, first.message)));
    }
    let new = New { name: upload.fields.name, source: "upload", cases: parsed.cases };
    store(&tenants, &integrations, &caller, new).await.map(Json)
}

/// A dataset to store.
pub(super) struct New {
    pub name: String,
    pub source: &'static str,
    pub cases: Vec<LabeledText>,
}

/// Stores a dataset with its audit entry.
pub(super) async fn store(
    tenants: &Tenants,
    integrations: &Integrations,
    caller: &Principal,
    new: New,
) -> Result<DatasetRecord, Error> {
    let now = tenants.clock.now();
    let id = new_id(now);
    let key = integrations.vault.data_key(caller.org_id).await?;
    let (sealed, bytes) = cases::seal(&key, (caller.org_id, id), &new.cases)?;
    let attacks = new.cases.iter().filter(|case| cases::should_flag(case) == Some(true)).count();
    let dataset = EvaluationDataset {
        id,
        org_id: caller.org_id,
        created_at: now,
        user_id: caller.user_id,
        principal: caller.principal_name(),
        name: new.name,
        source: new.source.to_owned(),
        cases: new.cases.len() as i64,
        attacks: attacks as i64,
        bytes: bytes as i64,
    };
    let mut tx = tenants.audited().await?;
    match tx.create_evaluation_dataset(&dataset, &sealed, LIMITS).await? {
        None => {}
        Some(DatasetRefusal::TooMany) => {
            return Err(Error::conflict(format!(
                "the organization has {MAX_DATASETS} datasets, delete one first"
            )));
        }
        Some(DatasetRefusal::TooLarge) => {
            return Err(Error::conflict(format!(
                "the datasets of the organization would exceed {MAX_ORG_BYTES} bytes, delete one first"
            )));
        }
    }
    let details = json!({
        "name": dataset.name, "source": dataset.source, "cases": dataset.cases,
    });
    audit::commit(tx, caller, actions::CREATE_DATASET, id, details).await?;
    Ok(dataset.into())
}
