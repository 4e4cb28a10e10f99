//! The body of an error response.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Body of an error response.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// Error message. For a rate limit, an object with its values.
    #[schema(example = "project not found")]
    pub detail: Value,
    /// For internal errors: the identifier to look up in the service log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
    /// For internal errors: what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}
