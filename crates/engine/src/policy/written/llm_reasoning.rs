//! What a policy says of second opinions.

use serde::{Deserialize, Serialize};

use super::item::short_decimal;

/// What a language model may say where a request asks for one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LlmReasoning {
    /// Which AI connector is asked; the organisation's oldest active one where none is named.
    pub connector_id: Option<String>,
    /// By how much at most it may lower a confidence; 0, the default, for not at all.
    #[serde(serialize_with = "short_decimal")]
    pub may_lower: f32,
}

impl LlmReasoning {
    /// More than this a policy cannot allow.
    pub const WIDEST: f32 = 0.2;
}
