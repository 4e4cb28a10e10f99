//! A text and its views: the same content as detectors read it, each with a map back to the original.

mod case_fold;
pub(crate) mod char_boundary;
mod derived_views;
mod encodings;
mod invisible;
mod invisible_text;
pub mod language;
mod letter_pairs;
mod letters;
mod normalize;
mod offset_map;
mod scan;
mod transform;
mod view;
mod view_builder;
pub mod windows;
pub(crate) mod word_starts;

pub use case_fold::folded;
pub use invisible::is_invisible;
pub(crate) use letter_pairs::is_unlikely_word;
pub use offset_map::OffsetMap;
pub use transform::Transform;
pub use view::View;

/// How much of a text was scanned, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Coverage {
    /// Code points that detectors scanned.
    pub characters_scanned: usize,
    /// Code points in total.
    pub characters_total: usize,
    /// Windows that were scored, over all views.
    pub windows: usize,
    /// Names of the transforms of all views, unique, in order.
    pub transforms: Vec<&'static str>,
    /// Pages, images and entries of files that were not read.
    pub unread: u32,
    /// Whether everything was scanned and every payload decoded completely.
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
        self.unread += other.unread;
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
    /// Derives every view of `original` that differs from the others.
    pub fn new(original: &'a str) -> Self {
        let derived = derived_views::Derived::of(original);
        let folded = case_fold::fold_view(&derived.views[0]);
        Self { original, folded, views: derived.views, complete: derived.complete }
    }

    /// Returns the text as it was sent.
    pub const fn original(&self) -> &'a str {
        self.original
    }

    /// Returns the clean view: NFKC, without invisible characters, case preserved. Also `views()[0]`.
    pub fn clean(&self) -> &View<'a> {
        &self.views[0]
    }

    /// Returns the view for keywords: NFKC, zero-width removed, runs of blanks as one, full case folding.
    pub const fn folded(&self) -> &View<'a> {
        &self.folded
    }

    /// Returns the views that detectors read: the clean text first, then repaired and decoded ones.
    pub fn views(&self) -> &[View<'a>] {
        &self.views
    }

    /// Returns whether no view was omitted because of the bounds.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns the coverage when every view is scanned.
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
            unread: 0,
            complete: self.complete,
        }
    }
}
