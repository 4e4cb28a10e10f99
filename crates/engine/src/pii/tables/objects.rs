//! Objects whose keys together indicate a name: `{"first": "…", "last": "…"}`.

use super::{Cell, Column};
use crate::pii::key_value::Assignment;

const PAIRS: [(&str, &str); 4] =
    [("first", "last"), ("given", "family"), ("fname", "lname"), ("forename", "surname")];

/// The names of every such object.
pub(super) fn find(text: &str, assignments: &[Assignment], found: &mut Vec<Cell>) {
    for pair in assignments.windows(2) {
        let [one, other] = pair else { continue };
        let (a, b) = (one.label.as_str(), other.label.as_str());
        if PAIRS.contains(&(a, b)) || PAIRS.contains(&(b, a)) {
            let values = [one, other].map(|key| key.value(text).filter(|value| value.quoted));
            let [Some(one), Some(other)] = values else { continue };
            let is_one_object = !text[one.span.end..other.span.start].contains(['{', ';']);
            let cells = [one.span, other.span].into_iter().filter(|_| is_one_object);
            found.extend(cells.map(|span| Cell { column: Column::PersonName, span, is_accompanied: true }));
        }
    }
}
