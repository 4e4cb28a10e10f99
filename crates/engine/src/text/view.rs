//! One reading of a text.

use std::{borrow::Cow, sync::OnceLock};

use super::case_fold::fold_view;
use super::view_builder::ViewBuilder;
use super::{OffsetMap, Transform, windows, word_starts::word_starts};
use crate::span::Span;

/// One reading of a text.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// Transforms from the original to this view, in order; empty for the original.
    pub transforms: Vec<Transform>,
    /// Text of the view.
    pub text: Cow<'a, str>,
    map: OffsetMap,
    word_starts: OnceLock<Vec<u32>>,
}

impl<'a> View<'a> {
    /// Creates a view from its text and its map to the original.
    pub const fn new(transforms: Vec<Transform>, text: Cow<'a, str>, map: OffsetMap) -> Self {
        Self { transforms, text, map, word_starts: OnceLock::new() }
    }

    /// Returns the view that `draft` derives from this one.
    pub(super) fn derived(&self, transform: &[Transform], draft: ViewBuilder) -> View<'a> {
        let transforms = [&self.transforms, transform].concat();
        View::new(transforms, Cow::Owned(draft.text), draft.map.over(&self.map))
    }

    /// Maps `span` of this view to the original. Character boundaries map to character boundaries.
    pub fn original(&self, span: Span) -> Span {
        self.map.original(span)
    }

    /// Returns the locations where a word may begin, in bytes of the text. Computed once.
    pub(crate) fn word_starts(&self) -> &[u32] {
        self.word_starts.get_or_init(|| word_starts(&self.text))
    }

    /// Returns the case-folded view for keywords.
    #[must_use]
    pub fn folded(&self) -> View<'a> {
        fold_view(self)
    }

    /// Returns contiguous spans of about 256 bytes that cover this view, in bytes of its text, on character boundaries.
    pub fn chunks(&self) -> Vec<Span> {
        windows::chunks(&self.text)
    }

    /// Returns overlapping windows that cover this view, in bytes of its text, on character boundaries: two consecutive
    /// [`Self::chunks`] each, or the whole of a short view.
    pub fn windows(&self) -> Vec<Span> {
        windows::windows(&self.chunks())
    }
}
