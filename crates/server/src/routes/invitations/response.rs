//! The invitation object of responses.

use guardengine_store::{Invitation, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// An invitation. Its link is shown only once, when it is created.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvitationRecord {
    invitation_id: Uuid,
    /// Role that it grants.
    role: String,
    /// Note of its creator, for those who manage users.
    note: Option<String>,
    #[schema(value_type = guardengine_api_types::choices::InvitationStatus)]
    status: String,
    /// Username of its creator.
    created_by: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// Username of the user who accepted it.
    accepted_by: Option<String>,
}

impl From<Invitation> for InvitationRecord {
    fn from(invitation: Invitation) -> Self {
        Self {
            invitation_id: invitation.id,
            role: invitation.role,
            note: invitation.note,
            status: invitation.status,
            created_by: invitation.creator,
            created_at: invitation.created_at,
            expires_at: invitation.expires_at,
            accepted_by: invitation.accepted_by,
        }
    }
}
