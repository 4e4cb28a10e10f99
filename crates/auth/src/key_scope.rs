//! Scopes of API keys: what a key may do less than its creator.

use guardengine_store::ApiKey;
use uuid::Uuid;

use crate::{Permissions, permission};

/// The scope of an API key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyScope {
    /// The only project that the key may use; `None` for every project of its creator.
    pub project_id: Option<Uuid>,
    /// Permissions that the key keeps of its creator's; `None` for a key that names none.
    pub permissions: Option<Permissions>,
}

impl KeyScope {
    /// Returns what the key may do whose creator holds `held`. Changing users and roles takes a scope that names the
    /// permission.
    pub fn narrow(self, held: Permissions) -> Permissions {
        let kept = match self.permissions {
            Some(named) => held.intersection(named),
            None => held.without(users_and_roles()),
        };
        if self.project_id.is_some() { kept.without(beyond_projects()) } else { kept }
    }
}

impl From<&ApiKey> for KeyScope {
    fn from(key: &ApiKey) -> Self {
        Self {
            project_id: key.project_id,
            permissions: key.permissions.as_deref().map(Permissions::of_names),
        }
    }
}

/// Permissions to change users and roles.
fn users_and_roles() -> Permissions {
    use permission as may;
    Permissions::of(&[
        may::CREATE_USER,
        may::UPDATE_USER,
        may::DELETE_USER,
        may::CREATE_ROLE,
        may::UPDATE_ROLE,
        may::DELETE_ROLE,
    ])
}

/// Permissions that a key bound to a project never has, because they reach beyond every project.
pub fn beyond_projects() -> Permissions {
    users_and_roles().iter().chain([permission::CREATE_PROJECT, permission::UPDATE_ORGANIZATION]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECT: Option<Uuid> = Some(Uuid::nil());

    fn owner() -> Permissions {
        Permissions::of_role("owner", None)
    }

    #[test]
    fn a_key_without_a_scope_changes_no_users_and_roles() {
        let kept = KeyScope::default().narrow(owner());
        assert_eq!(kept, owner().without(users_and_roles()));
        assert!(kept.contains(permission::CREATE_PROJECT) && kept.contains(permission::VIEW_USER));
    }

    #[test]
    fn a_scope_keeps_what_it_names_and_the_creator_holds() {
        let named = Permissions::of(&[permission::ANALYZE, permission::UPDATE_USER]);
        let scope = KeyScope { project_id: None, permissions: Some(named) };
        assert_eq!(scope.narrow(owner()), named);
        let viewer = Permissions::of_role("viewer", None);
        assert_eq!(scope.narrow(viewer), Permissions::default());
    }

    #[test]
    fn a_key_of_a_project_cannot_leave_it() {
        let scope = KeyScope { project_id: PROJECT, permissions: None };
        assert_eq!(scope.narrow(owner()), owner().without(beyond_projects()));
        let scope = KeyScope { permissions: Some(owner()), ..scope };
        assert_eq!(scope.narrow(owner()), owner().without(beyond_projects()));
    }
}
