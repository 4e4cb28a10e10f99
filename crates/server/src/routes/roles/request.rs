//! The fields of a role.

use guardengine_engine::fields::{Fields, Invalid};
use serde_json::{Value, json};

use crate::http::{Permission, Permissions, permission};

/// Characters of a role's name.
pub const NAME: usize = 100;
/// Characters of a name that is told back.
const TOLD: usize = 60;

/// The permissions that are written, unless absent.
pub fn permissions(fields: Fields<'_>) -> Result<Option<Permissions>, Invalid> {
    // Each may be named twice: what is written once more is no fault.
    let written = fields.array("permissions", 2 * permission::ALL.len())?;
    let read = |items: &[Value]| items.iter().enumerate().map(|(at, item)| one(at, item)).collect();
    written.map(read).transpose()
}

fn one(at: usize, item: &Value) -> Result<Permission, Invalid> {
    let told: String = item.as_str().unwrap_or_default().chars().take(TOLD).collect();
    let accepted = || format!("must be a permission that GET /api/permissions names, {told:?} is none");
    let named = item.as_str().and_then(Permission::named);
    named.ok_or_else(|| Invalid::value(format!("permissions.{at}"), accepted()))
}

/// Permissions as the store keeps them.
pub fn stored(permissions: Permissions) -> String {
    json!(permissions.names()).to_string()
}
