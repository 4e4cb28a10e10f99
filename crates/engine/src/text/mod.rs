//! A text and its views: the same content as a detector should read it, each with the way back to the original.

pub(crate) mod beginnings;
mod bigrams;
pub(crate) mod boundaries;
mod clean;
mod derive;
mod disguises;
mod draft;
mod fold;
mod hidden;
mod invisible;
pub mod language;
mod letters;
mod map;
mod source;
mod transform;
mod view;
pub mod windows;

pub use fold::folded;
pub use invisible::is_invisible;
pub use map::OffsetMap;
pub use transform::Transform;
pub use view::View;

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
        let derived = derive::Derived::of(original);
        let folded = fold::fold_view(&derived.views[0]);
        Self { original, folded, views: derived.views, complete: derived.complete }
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

    /// What is looked at when every view is judged.
    pub fn coverage(&self) -> Coverage {
        let characters = self.original.chars().count();
        let mut transforms = Vec::new();
        for name in self.views.iter().flat_map(|view| &view.transforms).map(|transform| transform.name()) {
            if !transforms.contains(&name) {
                transforms.push(name);
            }
        }
        let windows = self.views.iter().map(|view| view.windows().len()).sum();
        Coverage {
            characters_scanned: characters,
            characters_total: characters,
            windows,
            transforms,
            complete: self.complete,
        }
    }
}
