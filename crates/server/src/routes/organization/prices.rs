//! Prices of guard calls, as the API shows them.

use guardengine_guard::Costs;
use serde::Serialize;
use utoipa::ToSchema;

/// Price of each operation, in credits.
#[derive(Debug, Serialize, ToSchema)]
pub struct Prices {
    /// A prompt.
    analyze: i64,
    /// A response.
    validate: i64,
    /// A text to mask.
    mask: i64,
    /// An autonomous decision.
    autonomous: i64,
    /// An audio clip, with its transcript.
    audio: i64,
    /// Each image, with its text.
    image: i64,
}

impl From<&Costs> for Prices {
    fn from(costs: &Costs) -> Self {
        let Costs { analyze, validate, mask, autonomous, audio, image, unit: _ } = *costs;
        Self { analyze, validate, mask, autonomous, audio, image }
    }
}
