//! The answer of what has nothing else to say.

use serde::Serialize;
use utoipa::ToSchema;

/// What happened.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    /// For people.
    message: &'static str,
}

impl Message {
    /// It, in words.
    pub const fn new(message: &'static str) -> Self {
        Self { message }
    }
}
