//! Identifiers of the built-in roles. They are lower than all others, so that built-in roles come last in lists.

use guardengine_auth::permission::BUILT_IN_ROLES;
use guardengine_store::is_same_name;
use uuid::Uuid;

/// A UUIDv7 at the Unix epoch (RFC 9562, section 5.7), which no role of an organization can have.
const BASE: u128 = 0x0000_0000_0000_7000_8000_0000_0000_0000;

/// Returns the built-in roles with their identifiers, highest first.
pub fn all() -> impl Iterator<Item = (Uuid, &'static str)> {
    let ids = (1..).map(|number| Uuid::from_u128(BASE + number));
    ids.zip(BUILT_IN_ROLES.into_iter().rev()).collect::<Vec<_>>().into_iter().rev()
}

/// Returns the built-in role with this identifier.
pub fn of_id(id: Uuid) -> Option<&'static str> {
    all().find(|(known, _)| *known == id).map(|(_, name)| name)
}

/// Returns true if the name is that of a built-in role, ignoring case and surrounding spaces.
pub fn has_name(name: &str) -> bool {
    BUILT_IN_ROLES.into_iter().any(|built_in| is_same_name(built_in, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_roles_are_listed_from_owner_to_viewer_by_falling_id() {
        let names: Vec<_> = all().map(|(_, name)| name).collect();
        assert_eq!(names, BUILT_IN_ROLES);
        assert!(all().map(|(id, _)| id).is_sorted_by(|one, next| one > next));
        assert!(all().all(|(id, name)| id.get_version_num() == 7 && of_id(id) == Some(name)));
        assert!(has_name(" OWNER ") && !has_name("owners"));
    }
}
