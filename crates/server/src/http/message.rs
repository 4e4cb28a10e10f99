//! The answer of what has nothing else to say.

use serde::Serialize;
use utoipa::ToSchema;

/// What happened.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageBody {
    /// For people.
    message: &'static str,
}

impl MessageBody {
    /// It, in words.
    pub const fn new(message: &'static str) -> Self {
        Self { message }
    }
}
