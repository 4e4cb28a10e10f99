//! PII types.

use guardengine_engine::pii::types::PII_TYPES;

use super::markdown::{code, table};
use crate::policies::pii_types::DESCRIPTIONS;

/// Every PII type.
pub fn pii_types() -> String {
    let described: Vec<_> = DESCRIPTIONS.iter().map(|(name, ..)| *name).collect();
    let known: Vec<_> = PII_TYPES.iter().map(|kind| kind.name()).collect();
    assert_eq!(described, known, "a PII type has no description");
    let row = |(name, values, evidence): &(&str, &str, &str)| {
        vec![code(name), (*values).to_owned(), (*evidence).to_owned()]
    };
    table(&["type", "values", "evidence"], DESCRIPTIONS.iter().map(row))
}
