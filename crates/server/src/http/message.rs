//! The answer of what has nothing else to say.

use serde::Serialize;
use utoipa::ToSchema;

/// What was done.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    message: &'static str,
}

impl Message {
    /// `message` for people.
    pub const fn new(message: &'static str) -> Self {
        Self { message }
    }
}
