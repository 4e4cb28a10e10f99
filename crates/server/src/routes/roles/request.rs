//! Fields of a role in request bodies.

use guardengine_auth::{Permission, Permissions, permission};
use guardengine_engine::fields::{FieldError, Fields};
use serde_json::{Value, json};

/// Characters of an unknown permission quoted in the error.
const MAX_QUOTED: usize = 60;

/// Reads the field `permissions`; `None` if absent.
pub fn permissions(fields: Fields<'_>) -> Result<Option<Permissions>, FieldError> {
    // Duplicates are accepted.
    let written = fields.array("permissions", 2 * permission::ALL.len())?;
    let read = |items: &[Value]| items.iter().enumerate().map(|(at, item)| one(at, item)).collect();
    written.map(read).transpose()
}

fn one(at: usize, item: &Value) -> Result<Permission, FieldError> {
    let quoted: String = item.as_str().unwrap_or_default().chars().take(MAX_QUOTED).collect();
    let accepted = || format!("must be a permission that GET /api/permissions names, {quoted:?} is none");
    let named = item.as_str().and_then(Permission::named);
    named.ok_or_else(|| FieldError::value(format!("permissions.{at}"), accepted()))
}

/// Permissions as a JSON array for the store.
pub fn stored(permissions: Permissions) -> String {
    json!(permissions.names()).to_string()
}
