use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::secret;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{Invitation, OrgOfUser, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::Tenants,
    http::{Answer, Body, Error, FromFields, Json},
    routes::users::role_rules::AssignableRole,
};

/// The token of an invitation.
#[derive(Debug, ToSchema)]
pub struct InvitationToken {
    /// Fragment of the link.
    token: String,
}

impl FromFields for InvitationToken {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { token: fields.required_string("token")?.to_owned() })
    }
}

/// An open invitation, as its invitee sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenInvitation {
    /// Name of the organization.
    organization: String,
    /// Role that it grants.
    role: String,
    /// Username of its creator.
    invited_by: String,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// Look at an invitation
///
/// Does not use the token up.
#[utoipa::path(
    post, path = "/auth/invitation", tag = "sessions", operation_id = "sessions_invitation",
    request_body = InvitationToken,
    responses(
        (status = 200, description = "The invitation", body = OpenInvitation),
        (status = 404, description = "The token is unknown, used, revoked or expired", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Body(request): Body<InvitationToken>,
) -> Answer<OpenInvitation> {
    let (invitation, org) = open_invitation(&tenants, &request.token).await?;
    Ok(Json(OpenInvitation {
        organization: org.name,
        role: org.role,
        invited_by: invitation.creator,
        expires_at: invitation.expires_at,
    }))
}

/// Returns the open invitation with this token, and the organization as its invitee will see it. Returns 404 for every
/// other token, and when the creator can no longer grant the role.
pub(super) async fn open_invitation(
    tenants: &Tenants,
    token: &str,
) -> Result<(Invitation, OrgOfUser), Error> {
    let found = tenants.db.invitation_of_token(&secret::digest(token), tenants.clock.now()).await?;
    let invitation = found.filter(|found| found.status == "open").ok_or_else(closed)?;
    let org_id = invitation.org_id;
    let creator = tenants.db.role_of_member(org_id, invitation.creator_id).await?.ok_or_else(closed)?;
    let held = AssignableRole::of_role(tenants, org_id, &creator).await?;
    let granted = AssignableRole::of_role(tenants, org_id, &invitation.role).await?;
    let (held, granted) = held.zip(granted).ok_or_else(closed)?;
    if !held.can_invite_to(&granted) {
        return Err(closed());
    }
    let org = tenants.db.org(org_id).await?.ok_or_else(closed)?;
    Ok((invitation, OrgOfUser { org_id, name: org.name, role: granted.role }))
}

/// The 404 of every invitation that cannot be accepted.
pub(super) fn closed() -> Error {
    Error::not_found("invitation")
}
