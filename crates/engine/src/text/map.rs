//! The way from a place in a view back to the original.

use crate::span::Span;

/// Maps bytes of a view to bytes of the original, in runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetMap {
    // (first byte in the view, first byte in the original); empty for the identity.
    runs: Vec<(u32, u32)>,
}

impl OffsetMap {
    /// The map of a view that is the original, byte for byte.
    pub const fn identity() -> Self {
        Self { runs: Vec::new() }
    }

    /// The smallest original span whose characters made the bytes `span` of the view.
    pub fn original(&self, span: Span) -> Span {
        if self.runs.is_empty() { span } else { unimplemented!() }
    }
}
