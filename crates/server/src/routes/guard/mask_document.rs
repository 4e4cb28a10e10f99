use axum::{
    extract::State,
    http::{HeaderMap, HeaderName, header},
    response::{IntoResponse as _, Response},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_api_types::ErrorBody;
use guardengine_engine::{
    RequestOptions,
    evidence::Origin,
    fields::{FieldError, Fields},
    guardrail::Direction,
    pii::mask::{Replacement, Strategy},
    span::CodePoints,
};
use guardengine_guard::{
    Guard, GuardRequest, Operation, PendingDecision,
    attachments::{Attachments, DocumentFile, ReadDocument},
    submission::Submission,
};
use guardengine_media::Role;
use guardengine_store::SideEffects;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{document_results::masked, request};
use crate::{
    app::Tenants,
    http::{Caller, Error, FromFields, Json, Upload, optional_id},
};

/// Number of pages, images and entries that were not read, beside a file.
const UNREAD: HeaderName = HeaderName::from_static("x-guardengine-unread");
/// Identifier of the log entry, beside a file.
const LOG_ID: HeaderName = HeaderName::from_static("x-guardengine-log-id");

/// Document to mask.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form")]
pub struct MaskDocumentForm {
    /// PDF, DOCX, XLSX, PPTX, HTML, EML, ZIP, TXT, CSV or JSON. A name that the part carries must fit the contents.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// Project whose policy selects the PII types. If absent, all types are masked.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    /// Masking strategy: `full` (default), `partial`, `format_preserving`, `hash`, `token` or `synthetic`. PDF pages and
    /// images are blacked out with each.
    #[schema(value_type = Option<guardengine_api_types::choices::MaskingStrategy>)]
    strategy: Option<Strategy>,
}

/// Fields of the form besides the file.
#[derive(Debug)]
pub struct MaskDocumentRequest {
    project_id: Option<Uuid>,
    strategy: Strategy,
}

impl FromFields for MaskDocumentRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            project_id: optional_id(fields, "projectId")?,
            strategy: fields.choice("strategy", &Strategy::ALL)?.unwrap_or(Strategy::Full),
        })
    }
}

/// A place that was masked.
#[derive(Debug, Serialize, ToSchema)]
pub struct DocumentFinding {
    /// PII type.
    kind: String,
    /// Page, slide or sheet, from 1; null in formats without pages.
    page: Option<u32>,
    /// First code point in `text`.
    start: usize,
    /// One past the last code point.
    end: usize,
    /// Role of the text in the document: `body`, `hidden`, `comment`, `note`, `metadata`, `alt_text`, `link`, `macro` or
    /// `image`.
    #[schema(value_type = String)]
    role: Role,
}

/// A masked document.
#[derive(Debug, Serialize, ToSchema)]
pub struct MaskedDocument {
    /// PII types found, unique, in order of appearance.
    pii_found: Vec<String>,
    /// Places that were masked.
    findings: Vec<DocumentFinding>,
    /// Text of the document, to which the findings refer.
    text: String,
    /// Pages, images and entries that were not read. They are in the file as they were.
    unread: u32,
    /// The masked file in its own format, in base64.
    file: String,
    /// Log entry identifier.
    log_id: Uuid,
}

/// Mask personal data in a document
///
/// Returns the file in its own format, or JSON if `Accept` asks for `application/json`. A masked PDF consists of images of
/// its pages. What was not read is in the file as it was; the header `X-Guardengine-Unread` counts it.
#[utoipa::path(
    post, path = "/v2/pii/mask_document", tag = "guard", operation_id = "guard_mask_document",
    request_body(content = MaskDocumentForm, content_type = "multipart/form-data"),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The masked document, in its own format unless `Accept` asks for `application/json`", body = MaskedDocument),
        (status = 403, description = "Missing permission, not a member of the project, or insufficient credits", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
        (status = 422, description = "Missing or invalid field, or the document cannot be read", body = ErrorBody),
        (status = 503, description = "Not masked; retry later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    headers: HeaderMap,
    upload: Upload<MaskDocumentRequest>,
) -> Result<Response, Error> {
    let Upload { file, name, fields } = upload;
    let file = DocumentFile { field: "file".to_owned(), name, bytes: file, origin: Origin::Subject };
    let asked = RequestOptions { mask: true, strategy: Some(fields.strategy), ..RequestOptions::default() };
    let call = GuardRequest {
        project_id: fields.project_id,
        attached: Attachments { documents: vec![file.clone()], ..Attachments::default() },
        asked,
        ..request::arriving_now(
            &tenants.clock,
            caller,
            Operation::MaskDocument,
            Submission::of(Direction::Input, String::new()),
        )
    };
    let decided = guard.evaluate(call).await?;
    let Some(read) = decided.call.submission.files.first().cloned() else {
        return Err(Error::internal("the document was not read"));
    };
    // Mask before charging: a failure costs nothing.
    let bytes = masked(&guard, &decided, &file, &read).await?.unwrap_or_else(|| file.bytes.to_vec());
    let findings = findings(&decided, &read);
    let recorded = guard.record(decided, SideEffects::default()).await?;
    if !request::accepts(&headers, "application/json") {
        let headers = [
            (header::CONTENT_TYPE, read.extracted.format.media_type().to_owned()),
            (UNREAD, read.extracted.unread.to_string()),
            (LOG_ID, recorded.log_id.to_string()),
        ];
        return Ok((headers, bytes).into_response());
    }
    let mut pii_found: Vec<String> = Vec::new();
    for finding in &findings {
        if !pii_found.contains(&finding.kind) {
            pii_found.push(finding.kind.clone());
        }
    }
    let file = BASE64_STANDARD.encode(bytes);
    let (text, unread) = (read.extracted.text, read.extracted.unread);
    Ok(Json(MaskedDocument { pii_found, findings, text, unread, file, log_id: recorded.log_id })
        .into_response())
}

fn findings(decided: &PendingDecision, read: &ReadDocument) -> Vec<DocumentFinding> {
    let of_file = decided.evaluation.replacements.iter().find(|(origin, _)| *origin == read.origin);
    let mut points = CodePoints::new(&read.extracted.text);
    let finding = |replacement: &Replacement| {
        let segment = read.segment_at(replacement.span.start);
        DocumentFinding {
            kind: replacement.kind.to_string(),
            page: segment.and_then(|segment| segment.page),
            start: points.at(replacement.span.start),
            end: points.at(replacement.span.end),
            role: segment.map_or(Role::Body, |segment| segment.role),
        }
    };
    of_file.map(|(_, replacements)| replacements.iter().map(finding).collect()).unwrap_or_default()
}
