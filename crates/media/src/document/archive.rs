//! ZIP archives of any files.

use std::collections::HashMap;

use super::{
    Changed, DocumentError,
    package::Package,
    visitor::{Walk, apply},
    walk_nested,
};
use crate::Role;

/// Walks through the names and files of an archive.
pub(super) fn walk(file: &[u8], walk: &mut Walk<'_>) -> Result<Changed, DocumentError> {
    let mut package = Package::open(file)?;
    walk.enter(package.names.len())?;
    walk.text(&package.comment(), Role::Metadata)?;
    let (mut contents, mut names) = (HashMap::new(), HashMap::new());
    for at in 0..package.names.len() {
        walk.check_time()?;
        let name = package.names[at].clone();
        let edits = walk.text(&name, Role::Metadata)?;
        if !edits.is_empty() {
            names.insert(at, apply(&name, &edits));
        }
        if package.is_folder(at) {
            continue;
        }
        let entry = package.read(at, walk)?;
        if let Some(changed) = walk_nested(&entry, Some(&name), walk)? {
            contents.insert(at, changed);
        }
    }
    let is_changed = !contents.is_empty() || !names.is_empty();
    if is_changed { package.write(&contents, &names).map(Some) } else { Ok(None) }
}
