//! Rules for granting roles and for changing or removing users.
//!
//! Callers can only grant permissions that they hold, and only change users who hold no more than they do: with a new
//! password they could sign in as that user.

use guardengine_auth::{Permissions, Principal, permission};
use guardengine_store::Role;
use uuid::Uuid;

use crate::{app::Tenants, http::Error};

const OWNER: &str = "owner";

/// A role of the caller's organization.
pub struct AssignableRole {
    /// Name of the role, as the organization writes it.
    pub role: String,
    permissions: Permissions,
}

impl AssignableRole {
    /// Returns the role with this name.
    pub async fn of_role(tenants: &Tenants, org_id: Uuid, role: &str) -> Result<Option<Self>, Error> {
        if let Some(permissions) = Permissions::of_built_in(role) {
            return Ok(Some(Self { role: role.to_owned(), permissions }));
        }
        Ok(tenants.db.role_by_name(org_id, role).await?.map(Self::from))
    }

    /// Returns the role to grant, or 404.
    pub async fn granted(tenants: &Tenants, caller: &Principal, role: &str) -> Result<Self, Error> {
        Self::of_role(tenants, caller.org_id, role).await?.ok_or_else(|| Error::not_found("role"))
    }

    /// Returns the role of a member. A deleted role has no permissions.
    pub async fn held(tenants: &Tenants, caller: &Principal, role: &str) -> Result<Self, Error> {
        let nothing = || Self { role: role.to_owned(), permissions: Permissions::default() };
        Ok(Self::of_role(tenants, caller.org_id, role).await?.unwrap_or_else(nothing))
    }

    /// Returns 403 unless the caller holds every permission of the role; `owner` needs an owner.
    pub fn within(&self, caller: &Principal) -> Result<(), Error> {
        if self.role == OWNER && caller.role != OWNER {
            return Err(Error::forbidden("only an owner can grant, change or remove an owner"));
        }
        Ok(caller.holds(self.permissions)?)
    }

    /// Returns true if members with this role can invite others to `granted`.
    pub fn can_invite_to(&self, granted: &Self) -> bool {
        let is_owner_granted = granted.role == OWNER && self.role != OWNER;
        !is_owner_granted
            && self.permissions.contains(permission::CREATE_USER)
            && granted.permissions.first_missing_from(self.permissions).is_none()
    }
}

impl From<Role> for AssignableRole {
    fn from(role: Role) -> Self {
        let permissions = Permissions::of_role(&role.name, Some(&role.permissions));
        Self { role: role.name, permissions }
    }
}

/// The 409 for removing or demoting the last owner.
pub fn last_owner() -> Error {
    Error::conflict("the last owner of an organization can neither leave nor lose the role")
}
