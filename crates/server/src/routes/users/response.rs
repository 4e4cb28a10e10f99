//! A user as their organisation sees them.

use guardengine_store::{Member, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A user of the organisation.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserRecord {
    user_id: Uuid,
    username: String,
    /// Built in or the organisation's own.
    role: String,
    /// When they joined.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<Member> for UserRecord {
    fn from(member: Member) -> Self {
        let Member { user_id, username, role, created_at } = member;
        Self { user_id, username, role, created_at }
    }
}
