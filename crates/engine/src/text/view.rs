//! One way to read a text.

use std::{borrow::Cow, sync::OnceLock};

use super::draft::Draft;
use super::fold::fold_view;
use super::{OffsetMap, Transform, beginnings::beginnings, windows};
use crate::span::Span;

/// One way to read a text.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// From the original to here, in order; empty for the original itself.
    pub transforms: Vec<Transform>,
    /// What there is to read.
    pub text: Cow<'a, str>,
    map: OffsetMap,
    beginnings: OnceLock<Vec<u32>>,
}

impl<'a> View<'a> {
    /// A view with its way back.
    pub const fn new(transforms: Vec<Transform>, text: Cow<'a, str>, map: OffsetMap) -> Self {
        Self { transforms, text, map, beginnings: OnceLock::new() }
    }

    /// The view that `draft` makes of this one.
    pub(super) fn derived(&self, transform: &[Transform], draft: Draft) -> View<'a> {
        let transforms = [&self.transforms, transform].concat();
        View::new(transforms, Cow::Owned(draft.text), draft.map.over(&self.map))
    }

    /// Where the bytes `span` of this view stand in the original: on character boundaries if `span` is.
    pub fn original(&self, span: Span) -> Span {
        self.map.original(span)
    }

    /// Every place where a word may begin, in bytes of its text, looked for once.
    pub(crate) fn beginnings(&self) -> &[u32] {
        self.beginnings.get_or_init(|| beginnings(&self.text))
    }

    /// This view as keywords are matched on it, with the way back to the original.
    #[must_use]
    pub fn folded(&self) -> View<'a> {
        fold_view(self)
    }

    /// Contiguous spans of about 256 bytes that cover this view, in bytes of its text, on character boundaries.
    pub fn chunks(&self) -> Vec<Span> {
        windows::chunks(&self.text)
    }

    /// Overlapping windows that cover this view, in bytes of its text, on character boundaries: each two consecutive
    /// [`Self::chunks`], the whole for a short view.
    pub fn windows(&self) -> Vec<Span> {
        windows::windows(&self.chunks())
    }
}
