//! Permissions, and the built-in roles that hold them.

use std::fmt;

/// A permission, `MODULE:ACTION`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission {
    /// For example `PROJECTS`.
    pub module: &'static str,
    /// For example `CREATE_PROJECT`.
    pub action: &'static str,
    /// Description of what the permission allows, for authors of roles.
    pub description: &'static str,
}

impl Permission {
    /// Returns the permission with this name, `MODULE:ACTION`.
    pub fn named(name: &str) -> Option<Self> {
        let (module, action) = name.split_once(':')?;
        ALL.iter().find(|known| known.module == module && known.action == action).copied()
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.module, self.action)
    }
}

macro_rules! catalogue {
    ($($name:ident = $module:literal $action:literal $description:literal;)*) => {
        $(
            #[doc = $description]
            pub const $name: Permission = Permission { module: $module, action: $action, description: $description };
        )*
        /// Every permission.
        pub const ALL: &[Permission] = &[$($name),*];
    };
}

catalogue! {
    CREATE_POLICY = "FIREWALL_POLICIES" "CREATE_POLICY" "Create and draft policies";
    VIEW_POLICY = "FIREWALL_POLICIES" "VIEW_POLICY" "View policies, versions and templates, and test policies";
    UPDATE_POLICY = "FIREWALL_POLICIES" "UPDATE_POLICY" "Update policies";
    DELETE_POLICY = "FIREWALL_POLICIES" "DELETE_POLICY" "Delete policies";
    CREATE_PROJECT = "PROJECTS" "CREATE_PROJECT" "Create projects";
    VIEW_PROJECT = "PROJECTS" "VIEW_PROJECT" "View projects";
    UPDATE_PROJECT = "PROJECTS" "UPDATE_PROJECT" "Update projects";
    DELETE_PROJECT = "PROJECTS" "DELETE_PROJECT" "Delete projects";
    MANAGE_MEMBERS = "PROJECTS" "MANAGE_MEMBERS" "Add and remove members of projects";
    CREATE_CONNECTOR = "CONNECTORS" "CREATE_CONNECTOR" "Create connectors and event subscriptions";
    VIEW_CONNECTOR = "CONNECTORS" "VIEW_CONNECTOR" "View connectors, event subscriptions and tickets";
    UPDATE_CONNECTOR = "CONNECTORS" "UPDATE_CONNECTOR" "Update and test connectors, retry tickets, replay events";
    DELETE_CONNECTOR = "CONNECTORS" "DELETE_CONNECTOR" "Delete connectors and event subscriptions";
    ANALYZE = "FIREWALL" "ANALYZE" "Evaluate prompts";
    VALIDATE = "FIREWALL" "VALIDATE" "Evaluate responses";
    MASK = "FIREWALL" "MASK" "Mask personal data";
    UNMASK = "FIREWALL" "UNMASK" "Restore masked values from tokens";
    AUTONOMOUS = "FIREWALL" "AUTONOMOUS" "Get autonomous decisions";
    VIEW_LOG = "LOGS" "VIEW_LOG" "View log entries and events";
    EXPORT_LOG = "LOGS" "EXPORT_LOG" "Export log entries";
    MARK_LOG = "LOGS" "MARK_LOG" "Give feedback on decisions";
    REVEAL_TEXT = "LOGS" "REVEAL_TEXT" "Reveal sealed texts of log entries, with a reason";
    VIEW_DASHBOARD = "DASHBOARD" "VIEW_DASHBOARD" "View the dashboard";
    CREATE_API_KEY = "API_KEYS" "CREATE_API_KEY" "Create API keys";
    VIEW_API_KEY = "API_KEYS" "VIEW_API_KEY" "View API keys";
    REVOKE_API_KEY = "API_KEYS" "REVOKE_API_KEY" "Revoke API keys";
    CREATE_USER = "USERS" "CREATE_USER" "Create users";
    VIEW_USER = "USERS" "VIEW_USER" "View users";
    UPDATE_USER = "USERS" "UPDATE_USER" "Update users";
    DELETE_USER = "USERS" "DELETE_USER" "Remove users";
    CREATE_ROLE = "ROLES" "CREATE_ROLE" "Create roles";
    VIEW_ROLE = "ROLES" "VIEW_ROLE" "View roles";
    UPDATE_ROLE = "ROLES" "UPDATE_ROLE" "Update roles";
    DELETE_ROLE = "ROLES" "DELETE_ROLE" "Delete roles";
    VIEW_CREDIT = "CREDITS" "VIEW_CREDIT" "View the balance and the ledger";
    VIEW_REVIEW = "REVIEWS" "VIEW_REVIEW" "View reviews";
    DECIDE_REVIEW = "REVIEWS" "DECIDE_REVIEW" "Decide reviews";
    VIEW_AUDIT = "AUDIT" "VIEW_AUDIT" "View the audit trail";
    VIEW_ENGINE = "ENGINE" "VIEW_ENGINE" "View the state of the service: models, queues, media workers and database";
    UPDATE_ORGANIZATION = "ORGANIZATION" "UPDATE_ORGANIZATION" "Update the name and the settings of the organization";
}

/// A set of permissions: one bit per index in [`ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permissions(u64);

const EVERYTHING: Permissions = Permissions((1 << ALL.len()) - 1);

impl Permissions {
    /// Returns true if the set contains `permission`.
    pub fn contains(self, permission: Permission) -> bool {
        bit(permission) & self.0 != 0
    }

    /// Iterates in the order of [`ALL`].
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        ALL.iter().copied().filter(move |permission| self.contains(*permission))
    }

    /// Returns the names, in the order of [`ALL`].
    pub fn names(self) -> Vec<String> {
        self.iter().map(|permission| permission.to_string()).collect()
    }

    /// Returns the first permission that is not in `held`.
    pub fn first_missing_from(self, held: Self) -> Option<Permission> {
        self.without(held).iter().next()
    }

    /// Returns the permissions of a role: built in by name, custom from the stored JSON array of names.
    /// Unknown names are ignored.
    pub fn of_role(role: &str, own: Option<&str>) -> Self {
        Self::of_built_in(role).or_else(|| own.map(Self::of_names)).unwrap_or_default()
    }

    pub(crate) fn of(permissions: &[Permission]) -> Self {
        permissions.iter().copied().collect()
    }

    /// Returns the permissions of a stored JSON array of names. Unknown names are ignored.
    pub fn of_names(stored: &str) -> Self {
        let names: Vec<String> = serde_json::from_str(stored).unwrap_or_default();
        names.iter().filter_map(|name| Permission::named(name)).collect()
    }

    /// Returns the permissions that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the set without `others`.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Returns the permissions of a built-in role; `None` for a custom role.
    pub fn of_built_in(role: &str) -> Option<Self> {
        Some(match role {
            "owner" => EVERYTHING,
            "admin" => EVERYTHING.without(Self::of(&[CREATE_ROLE, UPDATE_ROLE, DELETE_ROLE, DELETE_USER])),
            "developer" => Self::of(&[
                ANALYZE,
                VALIDATE,
                MASK,
                AUTONOMOUS,
                CREATE_API_KEY,
                VIEW_API_KEY,
                REVOKE_API_KEY,
                CREATE_PROJECT,
                VIEW_PROJECT,
                UPDATE_PROJECT,
                DELETE_PROJECT,
                MANAGE_MEMBERS,
                CREATE_POLICY,
                VIEW_POLICY,
                UPDATE_POLICY,
                DELETE_POLICY,
                VIEW_CONNECTOR,
                VIEW_LOG,
                VIEW_DASHBOARD,
                VIEW_CREDIT,
            ]),
            "analyst" => Self::of(&[
                ANALYZE,
                VALIDATE,
                MASK,
                VIEW_LOG,
                EXPORT_LOG,
                MARK_LOG,
                VIEW_DASHBOARD,
                VIEW_POLICY,
                VIEW_PROJECT,
                VIEW_CREDIT,
                VIEW_REVIEW,
                DECIDE_REVIEW,
            ]),
            "viewer" => {
                Self::of(&[VIEW_POLICY, VIEW_PROJECT, VIEW_CONNECTOR, VIEW_LOG, VIEW_DASHBOARD, VIEW_CREDIT])
            }
            _ => return None,
        })
    }
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        Self(permissions.into_iter().fold(0, |set, one| set | bit(one)))
    }
}

/// The built-in roles.
pub const BUILT_IN_ROLES: [&str; 5] = ["owner", "admin", "developer", "analyst", "viewer"];

/// Returns true if members with this role belong to every project of their organization.
pub fn sees_all_projects(role: &str) -> bool {
    matches!(role, "owner" | "admin")
}

fn bit(permission: Permission) -> u64 {
    ALL.iter().position(|known| *known == permission).map_or(0, |place| 1 << place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_role_is_known() {
        assert!(BUILT_IN_ROLES.iter().all(|role| Permissions::of_built_in(role).is_some()));
        assert_eq!(Permissions::of_built_in("intern"), None);
    }

    #[test]
    fn custom_roles_hold_the_stored_known_permissions() {
        let own = Permissions::of_role("intern", Some(r#"["LOGS:VIEW_LOG", "LOGS:BURN_LOG"]"#));
        assert_eq!(own.names(), ["LOGS:VIEW_LOG"]);
        assert_eq!(Permissions::of_role("intern", None), Permissions::default());
        assert_eq!(Permissions::of_role("owner", Some("[]")), EVERYTHING);
    }

    #[test]
    fn reports_the_first_missing_permission_in_catalog_order() {
        let (some, more) = (Permissions::of(&[ANALYZE]), Permissions::of(&[VIEW_LOG, ANALYZE, VALIDATE]));
        assert_eq!(more.first_missing_from(some), Some(VALIDATE));
        assert_eq!(some.first_missing_from(more), None);
    }

    #[test]
    fn built_in_roles_hold_their_permissions() {
        let holds = |role, permission| Permissions::of_built_in(role).unwrap().contains(permission);
        assert!(ALL.iter().all(|permission| holds("owner", *permission)));
        assert!(holds("admin", UNMASK) && !holds("admin", DELETE_USER) && !holds("admin", CREATE_ROLE));
        assert!(
            holds("developer", AUTONOMOUS)
                && !holds("developer", UNMASK)
                && !holds("developer", CREATE_CONNECTOR)
        );
        assert!(holds("analyst", MASK) && !holds("analyst", AUTONOMOUS) && !holds("analyst", CREATE_POLICY));
        assert!(holds("viewer", VIEW_LOG) && !holds("viewer", ANALYZE));
    }
}
