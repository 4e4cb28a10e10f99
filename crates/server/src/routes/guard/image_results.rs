//! Results for images that came with a request.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_engine::pii::EntityType;
use guardengine_guard::{Guard, PendingDecision, attachments::MediaText};
use guardengine_media::Rect;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::Error;

/// Text and redactions of images.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct ImageResults {
    /// Text of each image. Spans with `image` refer to it. Absent without images.
    #[serde(skip_serializing_if = "Option::is_none")]
    image_texts: Option<Vec<String>>,
    /// Each image with personal data redacted, as PNG in base64; null for images without. Absent unless the action is
    /// `mask`.
    #[serde(skip_serializing_if = "Option::is_none")]
    masked_images: Option<Vec<Option<String>>>,
}

impl ImageResults {
    /// Returns the results for the images of a request; empty without images, or if the policy does not inspect them.
    /// Computed before charging: a failure costs nothing.
    pub async fn of(guard: &Guard, decided: &PendingDecision) -> Result<Self, Error> {
        let media = &decided.call.submission.media;
        if media.is_empty() {
            return Ok(Self::default());
        }
        let image_texts = Some(media.iter().map(|medium| medium.text().to_owned()).collect());
        let is_masked = !decided.evaluation.masked_media.is_empty();
        let masked_images = if is_masked { Some(masked(guard, decided).await?) } else { None };
        Ok(Self { image_texts, masked_images })
    }
}

async fn masked(guard: &Guard, decided: &PendingDecision) -> Result<Vec<Option<String>>, Error> {
    let images = &decided.call.attached.images;
    let mut masked = Vec::with_capacity(images.len());
    for (at, image) in images.iter().enumerate() {
        let areas: Vec<_> = areas(decided, at).into_iter().map(|(_, area)| area).collect();
        let org_id = decided.call.caller.org_id;
        let redacted = if areas.is_empty() {
            None
        } else {
            Some(guard.media_workers().redact(org_id, image, areas).await?)
        };
        masked.push(redacted.map(|png| BASE64_STANDARD.encode(png)));
    }
    Ok(masked)
}

/// Returns the redacted areas of the image with this index, each with its PII type.
pub fn areas(decided: &PendingDecision, index: usize) -> Vec<(EntityType, Rect)> {
    let both = decided.call.submission.media.iter().zip(&decided.evaluation.masked_media);
    let of_image = both.filter_map(|(medium, masked)| match medium {
        MediaText::Image(at, image) if *at == index => Some((&image.passage, masked)),
        _ => None,
    });
    let areas = of_image.flat_map(|(passage, masked)| {
        masked.found.iter().flat_map(|found| {
            let areas = passage.areas(found.span.start..found.span.end);
            areas.into_iter().map(|area| (found.kind.clone(), area))
        })
    });
    areas.collect()
}
