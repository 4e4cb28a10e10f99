//! Response body with a message only.

use serde::Serialize;
use utoipa::ToSchema;

/// A message.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageBody {
    /// Human-readable text.
    message: &'static str,
}

impl MessageBody {
    /// Creates the message.
    pub const fn new(message: &'static str) -> Self {
        Self { message }
    }
}
