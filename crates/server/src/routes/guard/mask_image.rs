use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse as _, Response},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_engine::{
    Asked,
    fields::{Fields, Invalid},
    guardrail::Direction,
    policy::written::Strategy,
};
use guardengine_store::Aftermath;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::image_results::areas;
use crate::{
    app::App,
    guard::{GuardRequest, Operation, submission::Submission},
    http::{Error, ErrorBody, FromFields, Json, Principal, optional_id},
    media::{Attachments, ImageFile, Upload},
};

/// A picture to be masked.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form")]
pub struct MaskImageForm {
    /// PNG, JPEG, WebP, or PDF of one page.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// Whose policy names the kinds; every kind without.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
}

/// Whose policy names the kinds.
#[derive(Debug)]
pub struct MaskImageRequest {
    project_id: Option<Uuid>,
}

impl FromFields for MaskImageRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        Ok(Self { project_id: optional_id(fields, "projectId")? })
    }
}

/// Something that was painted over, in pixels of the upright picture.
#[derive(Debug, Serialize, ToSchema)]
pub struct MaskedBox {
    /// The kind of personal data.
    kind: &'static str,
    /// From the left.
    x: u32,
    /// From the top.
    y: u32,
    width: u32,
    height: u32,
    /// The page, from 1.
    page: u32,
}

/// A masked picture.
#[derive(Debug, Serialize, ToSchema)]
pub struct MaskedImage {
    /// Kinds found, unique, in order of appearance.
    pii_found: Vec<&'static str>,
    /// What was painted over.
    boxes: Vec<MaskedBox>,
    /// The picture as PNG in base64: upright, without metadata.
    image: String,
    /// The row in the log.
    log_id: Uuid,
}

/// Paint over personal data in a picture
///
/// Every word that is a part of personal data is painted over, QR and bar codes that hold some likewise. The answer is
/// the picture itself where `Accept` asks for `image/png`.
#[utoipa::path(
    post, path = "/v2/pii/mask_image", tag = "guard", operation_id = "guard_mask_image",
    request_body(content = MaskImageForm, content_type = "multipart/form-data"),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The masked picture; `image/png` where `Accept` asks for it", body = MaskedImage),
        (status = 403, description = "A permission is missing, not a member, or insufficient credits", body = ErrorBody),
        (status = 404, description = "No such project", body = ErrorBody),
        (status = 422, description = "A field is missing or not accepted, or the picture cannot be read", body = ErrorBody),
        (status = 503, description = "Not masked: try again later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    headers: HeaderMap,
    upload: Upload<MaskImageRequest>,
) -> Result<Response, Error> {
    let accepted = || Invalid::value("file", "must be a PNG, JPEG or WebP image, or a PDF of one page");
    let picture = ImageFile::of("file", upload.file).ok_or_else(accepted)?;
    let call = GuardRequest {
        project_id: upload.fields.project_id,
        attached: Attachments { images: vec![picture.clone()], ..Attachments::default() },
        asked: Asked { mask: true, strategy: Some(Strategy::Full), ..Asked::default() },
        ..GuardRequest::new(
            &app.clock,
            caller,
            Operation::MaskImage,
            Submission::of(Direction::Input, String::new()),
        )
    };
    let decided = app.guard.evaluate(call).await?;
    // Painted before it is paid for: whatever fails charges nothing.
    let areas = areas(&decided, 0);
    let png = app.media_workers.redact(&picture, areas.iter().map(|(_, area)| *area).collect()).await?;
    let answered = app.guard.record(decided, Aftermath::default()).await?;
    if wants_png(&headers) {
        return Ok(([(header::CONTENT_TYPE, "image/png")], png).into_response());
    }
    let mut pii_found = Vec::new();
    for (kind, _) in &areas {
        if !pii_found.contains(kind) {
            pii_found.push(*kind);
        }
    }
    let boxed = |(kind, area): (&'static str, guardengine_media::Rect)| MaskedBox {
        kind,
        x: area.x,
        y: area.y,
        width: area.width,
        height: area.height,
        page: 1,
    };
    let boxes = areas.into_iter().map(boxed).collect();
    let image = BASE64_STANDARD.encode(png);
    Ok(Json(MaskedImage { pii_found, boxes, image, log_id: answered.log_id }).into_response())
}

/// Whether `Accept` names PNG (RFC 9110, section 12.5.1; preferences are not weighed).
fn wants_png(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|one| one.trim().starts_with("image/"))
}
