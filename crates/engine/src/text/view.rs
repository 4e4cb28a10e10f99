//! One way to read a text.

use std::borrow::Cow;

use super::OffsetMap;
use crate::span::Span;

/// How a view came from the view before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transform {
    /// NFKC and removal of invisible characters.
    Normalized,
}

/// One way to read a text.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// From the original to here, in order; empty for the original itself.
    pub transforms: Vec<Transform>,
    /// What there is to read.
    pub text: Cow<'a, str>,
    map: OffsetMap,
}

impl<'a> View<'a> {
    /// A view with its way back.
    pub const fn new(transforms: Vec<Transform>, text: Cow<'a, str>, map: OffsetMap) -> Self {
        Self { transforms, text, map }
    }

    /// Where the bytes `span` of this view stand in the original.
    pub fn original(&self, span: Span) -> Span {
        self.map.original(span)
    }

    /// Overlapping windows that cover this view, in bytes of its text, on character boundaries; one that is the whole for a short view.
    pub fn windows(&self) -> Vec<Span> {
        vec![Span::new(0, self.text.len())]
    }
}
