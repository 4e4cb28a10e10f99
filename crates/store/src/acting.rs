//! Who a credential acts as. It is read in the credential's own query: a changed role, membership or limit holds with
//! the next request, on every replica, and costs no query of its own.

/// Who a session or an API key acts as in its organisation.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Acting {
    /// The user's name.
    pub username: String,
    /// Their role; `None` when they no longer belong to the organisation.
    pub role: Option<String>,
    /// What that role may when it is the organisation's own, as [`crate::Role::permissions`].
    pub role_permissions: Option<String>,
    /// The organisation's own rate limits, as [`crate::Db::set_limits`] got them.
    pub limits: Option<String>,
}

/// The columns of [`Acting`] and the joins that they come from, for credentials in a table with `user_id` and `org_id`.
macro_rules! acting_columns {
    ($credentials:literal) => {
        concat!(
            "users.username, memberships.role, roles.permissions AS role_permissions, orgs.limits FROM ",
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
pub(crate) use acting_columns;
