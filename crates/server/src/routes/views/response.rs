//! The view object of responses, and who may change one.

use guardengine_auth::Principal;
use guardengine_store::{LogView, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::request::{ViewContent, stored};
use crate::{app::Tenants, http::Error};

/// A saved view of the log.
#[derive(Debug, Serialize, ToSchema)]
pub struct ViewRecord {
    view_id: Uuid,
    name: String,
    /// True if the whole organization sees it.
    shared: bool,
    /// True if it belongs to the caller.
    own: bool,
    #[serde(flatten)]
    content: ViewContent,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl ViewRecord {
    /// Builds the record of a view for a caller.
    pub fn of(view: LogView, caller: &Principal) -> Self {
        Self {
            view_id: view.id,
            own: view.user_id == caller.user_id,
            content: stored(&view.content),
            name: view.name,
            shared: view.shared,
            created_at: view.created_at,
            updated_at: view.updated_at,
        }
    }
}

/// Returns a view that the caller may change: their own, and for owners and admins a shared one. 404 or 403.
pub async fn changeable(tenants: &Tenants, caller: &Principal, id: Uuid) -> Result<LogView, Error> {
    let found = tenants.db.log_view(caller.org_id, caller.user_id, id).await?;
    let view = found.ok_or_else(|| Error::not_found("view"))?;
    if view.user_id != caller.user_id && !caller.sees_all_projects() {
        return Err(Error::forbidden("only its creator, owners and admins may change a shared view"));
    }
    Ok(view)
}
