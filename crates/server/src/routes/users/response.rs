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
    /// Time of the last request with a session in the organization; null if there is none or it is over for long.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_active_at: Option<Timestamp>,
}

impl From<Member> for UserRecord {
    fn from(member: Member) -> Self {
        let Member { user_id, username, role, created_at, last_active_at } = member;
        Self { user_id, username, role, created_at, last_active_at }
    }
}
