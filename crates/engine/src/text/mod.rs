//! A text and its views: the same content as a detector should read it, each with the way back to the original.

mod map;
mod view;

use std::borrow::Cow;

pub use map::OffsetMap;
pub use view::{Transform, View};

/// How much of a text was looked at, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Coverage {
    /// Code points that some detector has seen.
    pub characters_scanned: usize,
    /// Code points there are.
    pub characters_total: usize,
    /// Windows that were judged, over all views.
    pub windows: usize,
    /// Names of the transforms through which views were made, unique, in order.
    pub transforms: Vec<&'static str>,
    /// Whether everything was scanned and every payload decoded to the end.
    pub complete: bool,
}

impl Coverage {
    /// Adds the coverage of another text of the same request.
    pub fn add(&mut self, other: &Self) {
        self.characters_scanned += other.characters_scanned;
        self.characters_total += other.characters_total;
        self.windows += other.windows;
        for transform in &other.transforms {
            if !self.transforms.contains(transform) {
                self.transforms.push(transform);
            }
        }
        self.complete &= other.complete;
    }
}

/// An original text and its views.
#[derive(Debug)]
pub struct Text<'a> {
    original: &'a str,
    folded: View<'a>,
    views: Vec<View<'a>>,
    complete: bool,
}

impl<'a> Text<'a> {
    /// Makes every view of `original` that shows something the others do not.
    pub fn new(original: &'a str) -> Self {
        let same = || View::new(Vec::new(), Cow::Borrowed(original), OffsetMap::identity());
        Self { original, folded: same(), views: vec![same()], complete: true }
    }

    /// The text as it was sent.
    pub const fn original(&self) -> &'a str {
        self.original
    }

    /// NFKC, without invisible characters, case kept: what PII and custom patterns read. Also `views()[0]`.
    pub fn clean(&self) -> &View<'a> {
        &self.views[0]
    }

    /// The view keywords are matched on: NFKC, zero-width removed, runs of blanks as one, full case folding.
    pub const fn folded(&self) -> &View<'a> {
        &self.folded
    }

    /// The views that detectors judge: the clean text first, then unmasked and decoded ones.
    pub fn views(&self) -> &[View<'a>] {
        &self.views
    }

    /// Whether bounds cut a decoded payload short.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// How much of this text its views show.
    pub fn coverage(&self) -> Coverage {
        let characters = self.original.chars().count();
        let windows = self.views.iter().map(|view| view.windows().len()).sum();
        Coverage {
            characters_scanned: characters,
            characters_total: characters,
            windows,
            transforms: Vec::new(),
            complete: self.complete,
        }
    }
}
