use std::time::Duration;

use axum::{extract::State, http::StatusCode};
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, invitation, secret};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{NewInvitation, Timestamp};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::{Operations, Tenants},
    http::{Body, Caller, Error, FromFields, Json},
    routes::users::role_rules::AssignableRole,
};

/// Open invitations of an organization.
const MAX_OPEN: i64 = 200;
const MAX_HOURS: i64 = 720;
const DEFAULT_HOURS: i64 = 72;
/// Longest note, in characters.
const MAX_NOTE: usize = 200;
const HOUR: Duration = Duration::from_hours(1);

/// An invitation to create.
#[derive(Debug, ToSchema)]
pub struct NewInvitationRequest {
    /// `owner`, `admin`, `developer`, `analyst`, `viewer`, or a role of the organization.
    role: String,
    /// Lifetime in hours. Default: 72.
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 720)]
    expires_in_hours: i64,
    /// Note for those who manage users. Who opens the link does not see it.
    #[schema(max_length = 200)]
    note: Option<String>,
}

impl FromFields for NewInvitationRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            role: fields.required_string("role")?.to_owned(),
            expires_in_hours: fields.integer("expires_in_hours", 1..=MAX_HOURS)?.unwrap_or(DEFAULT_HOURS),
            note: note(fields)?,
        })
    }
}

/// Reads the note, trimmed; `None` for a blank one.
fn note(fields: Fields<'_>) -> Result<Option<String>, FieldError> {
    let note = fields.short_string("note", MAX_NOTE)?.map(str::trim);
    Ok(note.filter(|note| !note.is_empty()).map(str::to_owned))
}

/// A new invitation. The link is shown only once.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedInvitation {
    invitation_id: Uuid,
    /// Role that it grants.
    role: String,
    note: Option<String>,
    /// Username of the caller.
    created_by: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// Page of the console that accepts the invitation, with the token in the fragment. A path if `base_url` is not set.
    link: String,
}

/// Invite a user
///
/// Returns a link, with which one person joins the organization. Callers can only grant roles whose permissions they hold;
/// only owners can invite owners. The link stops working when its role is deleted, and when its creator leaves the
/// organization or can no longer grant the role. An organization has at most 200 open invitations.
#[utoipa::path(
    post, path = "/api/invitations", tag = "users", operation_id = "invitations_create",
    request_body = NewInvitationRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 201, description = "The invitation with its link", body = CreatedInvitation),
        (status = 404, description = "Role not found", body = ErrorBody),
        (status = 409, description = "Too many open invitations", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    Caller(caller): Caller,
    Body(request): Body<NewInvitationRequest>,
) -> Result<(StatusCode, Json<CreatedInvitation>), Error> {
    let granted = AssignableRole::granted(&tenants, &caller, &request.role).await?;
    granted.within(&caller)?;
    let (now, token) = (tenants.clock.now(), invitation::generate());
    let expires_at = now + HOUR * u32::try_from(request.expires_in_hours).unwrap_or_default();
    let new = NewInvitation {
        org_id: caller.org_id,
        creator_id: caller.user_id,
        token_hash: &secret::digest(&token),
        role: &granted.role,
        note: request.note.as_deref(),
        expires_at,
    };
    let mut tx = tenants.audited().await?;
    let Some(id) = tx.create_invitation(new, MAX_OPEN, now).await? else {
        return Err(Error::conflict(format!(
            "the organization has {MAX_OPEN} open invitations, revoke one first"
        )));
    };
    let details = json!({ "role": granted.role, "note": request.note, "expires_at": expires_at });
    audit::commit(tx, &caller, "USERS:CREATE_INVITATION", id, details).await?;
    let page = format!("/invitation#{token}");
    Ok((
        StatusCode::CREATED,
        Json(CreatedInvitation {
            invitation_id: id,
            role: granted.role,
            note: request.note,
            created_by: caller.username,
            created_at: now,
            expires_at,
            link: operations.settings.base_url.page(&page).unwrap_or(page),
        }),
    ))
}
