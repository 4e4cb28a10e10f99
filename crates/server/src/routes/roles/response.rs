//! A role as it is answered.

use guardengine_store::{Role, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::built_in;
use crate::{
    app::App,
    http::{Error, Permissions, Principal},
};

/// A role.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoleRecord {
    role_id: Uuid,
    name: String,
    /// `MODULE:ACTION` each.
    permissions: Vec<String>,
    /// Whether every organisation has it, and none can change it.
    built_in: bool,
    /// Null for a built-in role.
    #[schema(value_type = Option<String>, format = DateTime)]
    created_at: Option<Timestamp>,
    /// Null for a built-in role.
    #[schema(value_type = Option<String>, format = DateTime)]
    updated_at: Option<Timestamp>,
}

impl RoleRecord {
    /// A built-in role.
    pub fn built_in(role_id: Uuid, name: &str) -> Self {
        Self {
            role_id,
            name: name.to_owned(),
            permissions: Permissions::of_role(name, None).names(),
            built_in: true,
            created_at: None,
            updated_at: None,
        }
    }

    /// Its id, by which lists are paged.
    pub const fn id(&self) -> Uuid {
        self.role_id
    }
}

impl From<Role> for RoleRecord {
    fn from(role: Role) -> Self {
        Self {
            role_id: role.id,
            permissions: held(&role).names(),
            name: role.name,
            built_in: false,
            created_at: Some(role.created_at),
            updated_at: Some(role.updated_at),
        }
    }
}

/// What an organisation's own role holds.
pub fn held(role: &Role) -> Permissions {
    Permissions::of_role(&role.name, Some(&role.permissions))
}

/// The organisation's own role of that id, for a change; a built-in one cannot be changed.
pub async fn own(app: &App, caller: &Principal, id: Uuid) -> Result<Role, Error> {
    if built_in::of_id(id).is_some() {
        return Err(Error::conflict("built-in roles cannot be changed or deleted"));
    }
    app.db.role(caller.org_id, id).await?.ok_or_else(|| Error::not_found("role"))
}
