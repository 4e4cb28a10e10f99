//! The user object of responses.

use guardengine_store::{Member, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A user of the organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserRecord {
    user_id: Uuid,
    username: String,
    /// Built-in role, or a role of the organization.
    role: String,
    /// When the user joined the organization.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<Member> for UserRecord {
    fn from(member: Member) -> Self {
        let Member { user_id, username, role, created_at } = member;
        Self { user_id, username, role, created_at }
    }
}
