//! The role object of responses.

use guardengine_auth::{Permissions, Principal};
use guardengine_store::{Role, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::built_in;
use crate::{app::Tenants, http::Error};

/// A role.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoleRecord {
    role_id: Uuid,
    name: String,
    /// Permissions, each as `MODULE:ACTION`.
    #[schema(value_type = Vec<crate::schemas::PermissionName>)]
    permissions: Vec<String>,
    /// True if the role is built in. Built-in roles cannot be changed.
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

    /// Identifier, which is also the paging cursor.
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

/// Returns the permissions of a custom role.
pub fn held(role: &Role) -> Permissions {
    Permissions::of_role(&role.name, Some(&role.permissions))
}

/// Returns a custom role to change or delete; 409 for a built-in role.
pub async fn own(tenants: &Tenants, caller: &Principal, id: Uuid) -> Result<Role, Error> {
    if built_in::of_id(id).is_some() {
        return Err(Error::conflict("built-in roles cannot be changed or deleted"));
    }
    tenants.db.role(caller.org_id, id).await?.ok_or_else(|| Error::not_found("role"))
}
