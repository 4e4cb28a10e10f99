use guardengine_engine::fields::{FieldError, Fields};
use serde::Serialize;
use utoipa::ToSchema;

use super::create::FORMATS;
use crate::{
    evaluation::{
        cases,
        file::{Format, LineError, parse},
    },
    http::{Answer, FromFields, Json, Upload},
    routes::evaluation::response::CaseRecord,
};

/// Cases that a preview shows.
const SHOWN: usize = 10;

/// A file to check.
#[derive(Debug, ToSchema)]
pub struct PreviewForm {
    /// As for a new dataset.
    #[schema(value_type = String, format = Binary)]
    #[expect(dead_code, reason = "describes the form")]
    file: (),
    /// `jsonl` (default) or `csv`.
    #[schema(value_type = Option<String>)]
    format: Format,
}

impl FromFields for PreviewForm {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { file: (), format: fields.choice("format", &FORMATS)?.unwrap_or(Format::JsonLines) })
    }
}

/// Contents of a file of cases.
#[derive(Debug, Serialize, ToSchema)]
pub struct DatasetPreview {
    /// Number of cases that were read. Reading stops after 20 errors.
    cases: usize,
    /// Number of cases that something should flag.
    attacks: usize,
    /// The first 10 cases.
    first: Vec<CaseRecord>,
    /// The first 20 errors, by line. A file with errors is not accepted.
    errors: Vec<LineError>,
}

/// Check a file of cases
///
/// Reads a file as a new dataset would, and lists the lines that are not cases. Nothing is stored.
#[utoipa::path(
    post, path = "/api/evaluation/datasets/preview", tag = "evaluation",
    operation_id = "evaluation_datasets_preview",
    request_body(content = PreviewForm, content_type = "multipart/form-data"),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The first cases, and the errors", body = DatasetPreview),
    )
)]
pub async fn handle(upload: Upload<PreviewForm>) -> Answer<DatasetPreview> {
    let parsed = parse(upload.fields.format, &upload.file);
    let attacks = parsed.cases.iter().filter(|case| cases::should_flag(case) == Some(true)).count();
    Ok(Json(DatasetPreview {
        cases: parsed.cases.len(),
        attacks,
        first: parsed.cases.into_iter().take(SHOWN).map(CaseRecord::from).collect(),
        errors: parsed.errors,
    }))
}
