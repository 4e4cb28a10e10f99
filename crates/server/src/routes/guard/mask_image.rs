use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse as _, Response},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_api_types::ErrorBody;
use guardengine_engine::{
    RequestOptions,
    fields::{FieldError, Fields},
    guardrail::Direction,
    pii::{EntityType, mask::Strategy},
};
use guardengine_guard::{
    Guard, GuardRequest, Operation,
    attachments::{Attachments, ImageFile},
    submission::Submission,
};
use guardengine_store::SideEffects;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{image_results::areas, request};
use crate::{
    app::Tenants,
    http::{Caller, Error, FromFields, Json, Upload, optional_id},
};

/// Image to redact.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form")]
pub struct MaskImageForm {
    /// Image file: PNG, JPEG, WebP, or a PDF with one page.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// Project whose policy selects the PII types. If absent, all types are masked.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
}

/// Fields of the form besides the file.
#[derive(Debug)]
pub struct MaskImageRequest {
    project_id: Option<Uuid>,
}

impl FromFields for MaskImageRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { project_id: optional_id(fields, "projectId")? })
    }
}

/// A redacted area, in pixels of the upright image.
#[derive(Debug, Serialize, ToSchema)]
pub struct MaskedBox {
    /// PII type.
    kind: String,
    /// Distance from the left edge.
    x: u32,
    /// Distance from the top edge.
    y: u32,
    width: u32,
    height: u32,
    /// Page, from 1.
    page: u32,
}

/// A redacted image.
#[derive(Debug, Serialize, ToSchema)]
pub struct MaskedImage {
    /// PII types found, unique, in order of appearance.
    pii_found: Vec<String>,
    /// Redacted areas.
    boxes: Vec<MaskedBox>,
    /// Image as PNG in base64: upright, without metadata.
    image: String,
    /// Log entry identifier.
    log_id: Uuid,
}

/// Redact personal data in an image
///
/// Redacts every word that is part of personal data, and QR codes and barcodes that contain some. Returns the image
/// itself if `Accept` asks for `image/png`.
#[utoipa::path(
    post, path = "/v2/pii/mask_image", tag = "guard", operation_id = "guard_mask_image",
    request_body(content = MaskImageForm, content_type = "multipart/form-data"),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The redacted image; `image/png` if `Accept` asks for it", body = MaskedImage),
        (status = 403, description = "Missing permission, not a member of the project, or insufficient credits", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
        (status = 422, description = "Missing or invalid field, or the image cannot be decoded", body = ErrorBody),
        (status = 503, description = "Not masked; retry later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    headers: HeaderMap,
    upload: Upload<MaskImageRequest>,
) -> Result<Response, Error> {
    let accepted = || FieldError::value("file", "must be a PNG, JPEG or WebP image, or a PDF of one page");
    let image = ImageFile::of("file", upload.file).ok_or_else(accepted)?;
    let call = GuardRequest {
        project_id: upload.fields.project_id,
        attached: Attachments { images: vec![image.clone()], ..Attachments::default() },
        asked: RequestOptions { mask: true, strategy: Some(Strategy::Full), ..RequestOptions::default() },
        ..request::arriving_now(
            &tenants.clock,
            caller,
            Operation::MaskImage,
            Submission::of(Direction::Input, String::new()),
        )
    };
    let decided = guard.evaluate(call).await?;
    // Redact before charging: a failure costs nothing.
    let areas = areas(&decided, 0);
    let redacted = areas.iter().map(|(_, area)| *area).collect();
    let png = guard.media_workers().redact(decided.call.caller.org_id, &image, redacted).await?;
    let answered = guard.record(decided, SideEffects::default()).await?;
    if request::accepts(&headers, "image/") {
        return Ok(([(header::CONTENT_TYPE, "image/png")], png).into_response());
    }
    let mut pii_found: Vec<String> = Vec::new();
    for (kind, _) in &areas {
        if !pii_found.iter().any(|known| *kind == known.as_str()) {
            pii_found.push(kind.to_string());
        }
    }
    let boxed = |(kind, area): (EntityType, guardengine_media::Rect)| MaskedBox {
        kind: kind.to_string(),
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
