//! Selection of the text windows that a custom model reads.

use guardengine_engine::{
    evidence::{Origin, Part},
    scores::WindowScores,
    span::Span,
};

use crate::Model;

/// Windows that the model reads per request.
const MAX_WINDOWS: usize = 4;
/// Score of the joined turns from which the model reads them too.
const SPLIT_SCORE: f32 = 0.25;

/// A span of one view of one part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    pub part: usize,
    pub view: usize,
    pub span: Span,
}

impl Window {
    /// Returns the text of the window.
    pub fn of<'p>(&self, parts: &'p [Part<'_>]) -> &'p str {
        self.span.of(&parts[self.part].text.views()[self.view].text)
    }

    /// Returns the span of the whole view.
    pub fn view_span(&self, parts: &[Part<'_>]) -> Span {
        Span::new(0, parts[self.part].text.views()[self.view].text.len())
    }

    /// Returns whether the window contains the whole scored span.
    pub fn covers(&self, scored: &WindowScores) -> bool {
        self.is_same_view(scored) && self.span.start <= scored.span.start && scored.span.end <= self.span.end
    }

    /// Returns whether the scored span belongs to the same view.
    pub fn is_same_view(&self, scored: &WindowScores) -> bool {
        (self.part, self.view) == (scored.part, scored.view)
    }
}

/// Selects the windows that `model` reads, ordered by the other classifier's highest score among the mapped guardrails.
///
/// If the joined turns reach [`SPLIT_SCORE`], one window each is reserved for the joined turns and the earlier turns:
/// an attack may be split over several turns.
pub(crate) fn select_windows(model: &dyn Model, parts: &[Part<'_>], scored: &[WindowScores]) -> Vec<Window> {
    let suspicion = |one: &WindowScores| model.labels().max_score(&one.scores);
    let mut ranked: Vec<(f32, &WindowScores)> = scored.iter().map(|one| (suspicion(one), one)).collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    let origin = |one: &WindowScores| parts[one.part].origin;
    let is_both = |one: &WindowScores| matches!(origin(one), Origin::PriorTurnsAndSubject(_));
    let is_before = |one: &WindowScores| matches!(origin(one), Origin::PriorTurns(_));
    let joined_turns = ranked.iter().find(|(_, one)| is_both(one));
    let is_split = joined_turns.is_some_and(|(suspicion, _)| *suspicion >= SPLIT_SCORE);
    let evaluated = ranked.iter().filter(|(_, one)| origin(one).is_evaluated()).map(|(_, one)| *one);
    if !is_split {
        return take_windows(MAX_WINDOWS, model, parts, scored, evaluated);
    }
    let mut windows = take_windows(MAX_WINDOWS - 2, model, parts, scored, evaluated);
    let windows_of = |is_kind: &dyn Fn(&WindowScores) -> bool| {
        let ranked = ranked.iter().map(|(_, one)| *one).filter(|one| is_kind(one));
        take_windows(1, model, parts, scored, ranked)
    };
    windows.extend(windows_of(&is_both));
    windows.extend(windows_of(&is_before));
    windows
}

/// Returns at most `max` windows around the `ranked` spans. Skips spans that an earlier window covers.
fn take_windows<'s>(
    max: usize,
    model: &dyn Model,
    parts: &[Part<'_>],
    scored: &[WindowScores],
    ranked: impl Iterator<Item = &'s WindowScores>,
) -> Vec<Window> {
    let mut windows: Vec<Window> = Vec::with_capacity(max);
    for one in ranked {
        if windows.len() == max {
            break;
        }
        if !windows.iter().any(|window| window.covers(one)) {
            windows.extend(window_around(model, parts, scored, one));
        }
    }
    windows
}

/// Returns the largest window around `one` that fits the model: the whole view, then the span with the scored spans
/// that overlap it, then the span alone. Returns `None` for a whole view that does not fit but has smaller scored
/// spans.
fn window_around(
    model: &dyn Model,
    parts: &[Part<'_>],
    scored: &[WindowScores],
    one: &WindowScores,
) -> Option<Window> {
    let text = parts[one.part].text.views()[one.view].text.as_ref();
    let window = |span| Window { part: one.part, view: one.view, span };
    let whole = Span::new(0, text.len());
    if model.fits(text) {
        return Some(window(whole));
    }
    let parts_of_view =
        || scored.iter().filter(|other| window(whole).is_same_view(other) && other.span != whole);
    if one.span == whole && parts_of_view().next().is_some() {
        return None;
    }
    let overlapping = parts_of_view().filter(|other| other.span.overlaps(one.span));
    let wide = overlapping.fold(one.span, |span, other| span.cover(other.span));
    Some(window(if model.fits(wide.of(text)) { wide } else { one.span }))
}
