//! One pass over a view for all kinds.

use super::Found;
use crate::text::Text;

/// What kinds that look for themselves may use.
pub struct Scan<'t> {
    /// The text of the view.
    pub text: &'t str,
}

/// Every kind's finds in every view of `text`, overlaps resolved, in order of appearance.
pub fn find_all(_text: &Text<'_>) -> Vec<Found> {
    Vec::new()
}
