//! Policy settings of second opinions.

use serde::{Deserialize, Serialize};

use super::guardrail_config::short_decimal;

/// Settings of second opinions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LlmReasoning {
    /// AI connector to ask; the organization's oldest active one if absent.
    pub connector_id: Option<String>,
    /// Maximum reduction of a confidence. The default is 0.
    #[serde(serialize_with = "short_decimal")]
    pub may_lower: f32,
}

impl LlmReasoning {
    /// Highest value that a policy may set.
    pub const WIDEST: f32 = 0.2;
}
