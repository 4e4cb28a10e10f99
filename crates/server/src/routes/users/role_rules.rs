//! Who may grant which role, and change or remove whom.
//!
//! Nobody gives away what they do not hold, and nobody rules over somebody who holds more: a new password for such a
//! user would be a way to become them.

use guardengine_store::Role;
use uuid::Uuid;

use crate::{
    app::App,
    http::{Error, Permissions, Principal},
};

const OWNER: &str = "owner";

/// A role of the caller's organisation.
pub struct AssignableRole {
    /// Its name, as the organisation writes it.
    pub role: String,
    permissions: Permissions,
}

impl AssignableRole {
    /// The role of that name.
    pub async fn of_role(app: &App, org_id: Uuid, role: &str) -> Result<Option<Self>, Error> {
        if let Some(permissions) = Permissions::of_built_in(role) {
            return Ok(Some(Self { role: role.to_owned(), permissions }));
        }
        Ok(app.db.role_named(org_id, role).await?.map(Self::from))
    }

    /// The role to be granted.
    pub async fn granted(app: &App, caller: &Principal, role: &str) -> Result<Self, Error> {
        Self::of_role(app, caller.org_id, role).await?.ok_or_else(|| Error::not_found("role"))
    }

    /// The role that a member has.
    pub async fn held(app: &App, caller: &Principal, role: &str) -> Result<Self, Error> {
        let nothing = || Self { role: role.to_owned(), permissions: Permissions::default() };
        Ok(Self::of_role(app, caller.org_id, role).await?.unwrap_or_else(nothing))
    }

    /// Refuses a caller who does not stand as high.
    pub fn within(&self, caller: &Principal) -> Result<(), Error> {
        if self.role == OWNER && caller.role != OWNER {
            return Err(Error::forbidden("only an owner can grant, change or remove an owner"));
        }
        caller.holds(self.permissions)
    }
}

impl From<Role> for AssignableRole {
    fn from(role: Role) -> Self {
        let permissions = Permissions::of_role(&role.name, Some(&role.permissions));
        Self { role: role.name, permissions }
    }
}

/// 409: an organisation always keeps an owner.
pub fn last_owner() -> Error {
    Error::conflict("the last owner of an organization can neither leave nor lose the role")
}
