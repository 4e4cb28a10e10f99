//! Derives views: decodes a text, and what was decoded again, within bounds.
//!
//! There are two kinds of views. A payload (base64, hexadecimal, ROT13, …) becomes a view that contains nothing else, so
//! that no other text dilutes a classifier's score. If an encoding hides only some words (percent escapes, leetspeak,
//! look-alikes, …), the view contains the repaired text, because those words mean something only in their sentence. Of a
//! long text it contains the neighborhood of the repairs; the rest is in the previous view. All payloads of one encoding
//! in one text share a view: words that were encoded one by one are read as a whole, and the number of views is bounded
//! by the number of encodings.

use super::encodings::DECODERS;
use super::invisible_text::hidden;
use super::normalize::clean;
use super::scan::Source;
use super::view_builder::ViewBuilder;
use super::{Transform, View};

/// Maximum number of nested encodings.
const DEPTH: usize = 3;
/// Maximum number of views of a text, including the clean one.
const VIEWS: usize = 16;
/// Minimum limit for the total size of derived views, in bytes.
const BYTES: usize = 64 * 1024;
/// Limit for the total size of derived views, as a multiple of the original.
const EXPANSION: usize = 4;

/// All views of a text, and whether they are complete.
pub(super) struct Derived<'a> {
    pub views: Vec<View<'a>>,
    depths: Vec<usize>,
    bytes: usize,
    pub complete: bool,
}

impl<'a> Derived<'a> {
    /// Derives all views of `original`. The first is the clean view.
    pub fn of(original: &'a str) -> Self {
        let bytes = BYTES.max(original.len() * EXPANSION);
        let mut derived = Self { views: Vec::new(), depths: Vec::new(), bytes, complete: true };
        derived.layer(View::new(Vec::new(), original.into(), super::OffsetMap::identity()), 0);
        let mut next = 0;
        while next < derived.views.len() {
            derived.decode(next);
            next += 1;
        }
        derived
    }

    /// Applies each decoder to the view at `index`.
    fn decode(&mut self, index: usize) {
        let source = Source::new(&self.views[index].text);
        let last = self.views[index].transforms.last().copied();
        let drafts: Vec<(Transform, ViewBuilder)> = DECODERS
            .iter()
            .filter(|decoder| decoder.transform().may_repeat() || last != Some(decoder.transform()))
            .filter_map(|decoder| Some((decoder.transform(), decoder.decode(&source)?)))
            .collect();
        for (transform, draft) in drafts {
            let raw = self.views[index].derived(&[transform], draft);
            self.layer(raw, self.depths[index] + 1);
        }
    }

    /// Adds the clean view of `raw`, and the texts encoded in its invisible characters.
    fn layer(&mut self, raw: View<'a>, depth: usize) {
        let Some(clean) = clean(&raw.text) else {
            return self.admit(raw, depth);
        };
        let spelled = if depth <= DEPTH { hidden(&raw.text) } else { Vec::new() };
        self.admit(raw.derived(&clean.transforms, clean.draft), depth);
        for (transform, draft) in spelled {
            self.layer(raw.derived(&[transform], draft), depth + 1);
        }
    }

    /// Keeps `view` if its text is new and within the bounds.
    fn admit(&mut self, view: View<'a>, depth: usize) {
        if self.views.iter().any(|known| known.text == view.text) {
            return;
        }
        let free = self.views.is_empty();
        let fits = depth <= DEPTH && self.views.len() < VIEWS && view.text.len() <= self.bytes;
        if !free && !fits {
            self.complete = false;
            return;
        }
        if !free {
            self.bytes -= view.text.len();
        }
        self.views.push(view);
        self.depths.push(depth);
    }
}
