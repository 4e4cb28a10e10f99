//! Assignment of features to rows of weights.

use guardengine_engine::pii::tagger::features::{BITS, Feature, ROWS};

use super::example::Example;

/// Number of examples that a feature must occur in to get a row.
const SEEN: u32 = 5;

/// Returns the mark of the commonest feature of each row; the others have no weights.
pub fn owners(examples: &[&Example]) -> Vec<Option<u8>> {
    let mut counts = vec![0_u32; ROWS << 8];
    for feature in examples.iter().flat_map(|example| example.features.iter().chain(&example.unlisted)) {
        counts[usize::from(feature.row) << 8 | usize::from(feature.mark)] += 1;
    }
    let owner = |row: &[u32]| {
        let (mark, count) = row.iter().enumerate().rev().max_by_key(|(_, count)| **count)?;
        (*count >= 2 * SEEN).then_some(mark as u8)
    };
    counts.chunks(1 << 8).map(owner).collect()
}

/// Returns true if `feature` has a row.
pub fn owns(owners: &[Option<u8>], feature: Feature) -> bool {
    const { assert!(BITS == u16::BITS) };
    owners[usize::from(feature.row)] == Some(feature.mark)
}
