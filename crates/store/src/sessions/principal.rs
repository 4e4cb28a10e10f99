//! The user and role behind a credential. They are read in the same query as the credential, so that a changed role,
//! membership or limit applies to the next request on every replica, without a query of its own.

/// The user behind a session or an API key, with their role in its organization.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct PrincipalRow {
    /// Username.
    pub username: String,
    /// Role; `None` when the user no longer belongs to the organization.
    pub role: Option<String>,
    /// Permissions of the role if it is a custom one, as [`crate::Role::permissions`].
    pub role_permissions: Option<String>,
    /// True if guard requests of the organization must name a project.
    pub require_project: bool,
    /// Rate limits of the organization, as set by [`crate::Tx::set_limits`].
    pub limits: Option<String>,
}

/// Columns of [`PrincipalRow`] and the joins that provide them, for a credentials table with `user_id` and `org_id`.
macro_rules! principal_columns {
    ($credentials:literal) => {
        concat!(
            "users.username, memberships.role, roles.permissions AS role_permissions,
             orgs.require_project, orgs.limits FROM ",
            $credentials,
            " JOIN users ON users.id = ",
            $credentials,
            ".user_id JOIN orgs ON orgs.id = ",
            $credentials,
            ".org_id LEFT JOIN memberships ON memberships.user_id = ",
            $credentials,
            ".user_id AND memberships.org_id = ",
            $credentials,
            ".org_id LEFT JOIN roles ON roles.org_id = memberships.org_id AND roles.name = memberships.role "
        )
    };
}
pub(crate) use principal_columns;
