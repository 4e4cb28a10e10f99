//! Permissions and built-in roles.

use guardengine_auth::permission::{ALL, BUILT_IN_ROLES, Permissions};

use super::markdown::{code, mark, table};

/// Every permission, with the built-in roles that hold it.
pub fn permissions() -> String {
    let rows = ALL.iter().map(|permission| {
        let holds = |role| Permissions::of_built_in(role).is_some_and(|held| held.contains(*permission));
        let cells = [code(&permission.to_string()), permission.description.to_owned()];
        cells.into_iter().chain(BUILT_IN_ROLES.map(|role| mark(holds(role)))).collect()
    });
    table(&[&["permission", "allows to"], BUILT_IN_ROLES.as_slice()].concat(), rows)
}
