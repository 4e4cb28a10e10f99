use axum::extract::State;
use guardengine_engine::fields::{FieldError, Fields};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::response::InvitationRecord;
use crate::{
    app::Tenants,
    http::{Answer, Caller, FromFields, Json, PageParameters, PageQuery, Query},
};

const STATUSES: [(&str, &str); 4] =
    [("open", "open"), ("accepted", "accepted"), ("revoked", "revoked"), ("expired", "expired")];

/// Invitation filters.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct InvitationsQuery {
    #[param(ignore)]
    page: PageQuery<Uuid>,
    /// `open`, `accepted`, `revoked` or `expired`. Default: all.
    #[param(value_type = Option<guardengine_api_types::choices::InvitationStatus>, inline)]
    status: Option<&'static str>,
}

impl FromFields for InvitationsQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { page: PageQuery::from_fields(fields)?, status: fields.choice("status", &STATUSES)? })
    }
}

/// A page of invitations.
#[derive(Debug, Serialize, ToSchema)]
pub struct Invitations {
    /// Newest first.
    invitations: Vec<InvitationRecord>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<Uuid>,
}

/// List invitations
///
/// Accepted, revoked and expired invitations are deleted 30 days after they ended.
#[utoipa::path(
    get, path = "/api/invitations", tag = "users", operation_id = "invitations_list",
    params(PageParameters, InvitationsQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of invitations", body = Invitations),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Query(InvitationsQuery { page, status }): Query<InvitationsQuery>,
) -> Answer<Invitations> {
    let found = tenants.db.invitations(caller.org_id, status, page.page(), tenants.clock.now()).await?;
    let invitations = found.rows.into_iter().map(InvitationRecord::from).collect();
    Ok(Json(Invitations { invitations, next_cursor: found.next }))
}
