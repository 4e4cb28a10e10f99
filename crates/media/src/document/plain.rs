//! Plain text, CSV and JSON: one segment.

use super::{
    Changed, DocumentError, encoding,
    visitor::{Walk, apply},
};
use crate::Role;

/// Walks through a file of text.
pub(super) fn walk(file: &[u8], walk: &mut Walk<'_>) -> Result<Changed, DocumentError> {
    let decoded = encoding::decode(file, None).ok_or_else(DocumentError::unknown_format)?;
    let edits = walk.text(&decoded.text, Role::Body)?;
    Ok((!edits.is_empty()).then(|| decoded.encode(&apply(&decoded.text, &edits))))
}
