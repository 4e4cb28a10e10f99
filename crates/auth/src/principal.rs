//! The authenticated caller.

use std::net::IpAddr;

use guardengine_store::PrincipalRow;
use uuid::Uuid;

use crate::{Error, KeyScope, OrgLimits, Permissions, permission, permission::Permission};

/// The credential of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// An API key, by id.
    ApiKey(Uuid),
    /// The access token of a session, by id.
    Session(Uuid),
}

/// An authenticated caller.
#[derive(Clone, Debug)]
pub struct Principal {
    /// User, or owner of the API key.
    pub user_id: Uuid,
    /// Username.
    pub username: String,
    /// Organization of the session or API key.
    pub org_id: Uuid,
    /// Role in the organization.
    pub role: String,
    /// Permissions of the role, narrowed by the scope of the API key.
    pub permissions: Permissions,
    /// Project that the API key is bound to. The caller belongs to no other.
    pub project_id: Option<Uuid>,
    /// True if guard requests of the organization must name a project.
    pub requires_project: bool,
    /// Rate limits of the organization.
    pub limits: OrgLimits,
    /// Credential of the request.
    pub credential: Credential,
    /// Client address.
    pub address: IpAddr,
}

impl Principal {
    /// Returns `None` if the user no longer belongs to the organization. An API key has a `scope`.
    pub(crate) fn acting(
        user_id: Uuid,
        org_id: Uuid,
        acting: PrincipalRow,
        credential: Credential,
        scope: Option<KeyScope>,
        address: IpAddr,
    ) -> Option<Self> {
        let PrincipalRow { username, role, role_permissions, require_project, limits } = acting;
        let role = role?;
        let held = Permissions::of_role(&role, role_permissions.as_deref());
        let permissions = scope.map_or(held, |scope| scope.narrow(held));
        let project_id = scope.and_then(|scope| scope.project_id);
        let limits = OrgLimits::read(limits.as_deref());
        Some(Self {
            user_id,
            username,
            org_id,
            role,
            permissions,
            project_id,
            requires_project: require_project,
            limits,
            credential,
            address,
        })
    }

    /// Returns an error unless the caller holds the permission.
    pub fn needs(&self, permission: Permission) -> Result<(), Error> {
        if self.permissions.contains(permission) { Ok(()) } else { Err(Error::MissingPermission(permission)) }
    }

    /// Returns an error unless the caller holds all `permissions`.
    pub fn holds(&self, permissions: Permissions) -> Result<(), Error> {
        permissions
            .first_missing_from(self.permissions)
            .map_or(Ok(()), |missing| Err(Error::MissingPermission(missing)))
    }

    /// Returns the identifier under which requests are counted: the API key or the user.
    pub const fn principal(&self) -> Uuid {
        match self.credential {
            Credential::ApiKey(id) => id,
            Credential::Session(_) => self.user_id,
        }
    }

    /// Returns the principal, as log entries name it.
    pub fn principal_name(&self) -> String {
        match self.credential {
            Credential::ApiKey(id) => principal_of_key(id),
            Credential::Session(_) => principal_of_user(&self.username),
        }
    }

    /// Returns true if the caller belongs to every project of the organization.
    pub fn sees_all_projects(&self) -> bool {
        self.project_id.is_none() && permission::sees_all_projects(&self.role)
    }
}

/// Returns the name of a user in log entries and the audit trail.
pub fn principal_of_user(username: &str) -> String {
    format!("user:{username}")
}

/// Returns the name of an API key in log entries and the audit trail.
pub fn principal_of_key(id: Uuid) -> String {
    format!("api_key:{id}")
}
