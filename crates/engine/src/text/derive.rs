//! Views behind views: what is left when disguises are taken off, one after the other, within bounds.
//!
//! Two kinds of views are made. A payload (base64, hexadecimal, text turned by 13, …) is a view of its own that holds
//! nothing else, so that no other text dilutes a classifier's score. Where a disguise hides only some words (percent
//! escapes, leetspeak, look-alikes, …) the view holds the repaired text, because those words mean something only in
//! their sentence; of a long text it holds the neighbourhood of what was repaired, since the rest has been judged in
//! the view before. All payloads of one disguise in one text share a view: attackers who encode each word alone are
//! read as a whole, and the number of views is bounded by the number of disguises.

use super::clean::clean;
use super::disguises::DISGUISES;
use super::draft::Draft;
use super::hidden::hidden;
use super::source::Source;
use super::{Transform, View};

/// Disguises upon each other that are taken off.
const DEPTH: usize = 3;
/// Views of a text, the clean one included.
const VIEWS: usize = 16;
/// Bytes that derived views may have together, whatever the length of the original.
const BYTES: usize = 64 * 1024;
/// Bytes that derived views may have together, as a multiple of the original.
const EXPANSION: usize = 4;

/// All views of a text, and whether nothing was left out.
pub(super) struct Derived<'a> {
    pub views: Vec<View<'a>>,
    depths: Vec<usize>,
    bytes: usize,
    pub complete: bool,
}

impl<'a> Derived<'a> {
    /// Derives all views of `original`, the first of which is its clean one.
    pub fn of(original: &'a str) -> Self {
        let bytes = BYTES.max(original.len() * EXPANSION);
        let mut derived = Self { views: Vec::new(), depths: Vec::new(), bytes, complete: true };
        derived.layer(View::new(Vec::new(), original.into(), super::OffsetMap::identity()), 0);
        let mut next = 0;
        while next < derived.views.len() {
            derived.undo(next);
            next += 1;
        }
        derived
    }

    /// Takes each disguise off the view at `index`.
    fn undo(&mut self, index: usize) {
        let source = Source::new(&self.views[index].text);
        let last = self.views[index].transforms.last().copied();
        let drafts: Vec<(Transform, Draft)> = DISGUISES
            .iter()
            .filter(|disguise| disguise.transform().may_repeat() || last != Some(disguise.transform()))
            .filter_map(|disguise| Some((disguise.transform(), disguise.undo(&source)?)))
            .collect();
        for (transform, draft) in drafts {
            let raw = self.views[index].derived(&[transform], draft);
            self.layer(raw, self.depths[index] + 1);
        }
    }

    /// Adds what `raw` shows: its clean view and what invisible characters in it spell out.
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

    /// Keeps `view` if it shows something new and bounds allow it.
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
