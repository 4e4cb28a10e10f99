//! Which stretches of a request are read.

use guardengine_engine::{
    evidence::{Origin, Part},
    scores::Scored,
    span::Span,
};

use crate::Model;

/// Stretches of a request that are read at most.
const MAX_WINDOWS: usize = 4;
/// From this on, what another classifier says of joined turns could matter, and is looked into.
const SPLIT_SCORE: f32 = 0.25;

/// A stretch of one view of one part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    pub part: usize,
    pub view: usize,
    pub span: Span,
}

impl Window {
    pub fn of<'p>(&self, parts: &'p [Part<'_>]) -> &'p str {
        self.span.of(&parts[self.part].text.views()[self.view].text)
    }

    /// All of its text.
    pub fn text(&self, parts: &[Part<'_>]) -> Span {
        Span::new(0, parts[self.part].text.views()[self.view].text.len())
    }

    /// Whether all that was scored lies in it.
    pub fn covers(&self, one: &Scored) -> bool {
        self.is_beside(one) && self.span.start <= one.span.start && one.span.end <= self.span.end
    }

    /// Whether both are of one text.
    pub fn is_beside(&self, one: &Scored) -> bool {
        (self.part, self.view) == (one.part, one.view)
    }
}

/// The stretches that `model` reads: the most suspicious first, by what another classifier said of the guardrails that
/// it has a say in. Joined turns are read, with those before, where they could be taken for an attack.
pub(crate) fn select_windows(model: &dyn Model, parts: &[Part<'_>], scored: &[Scored]) -> Vec<Window> {
    let suspicion = |one: &Scored| model.labels().max_score(&one.scores);
    let mut ranked: Vec<(f32, &Scored)> = scored.iter().map(|one| (suspicion(one), one)).collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    let origin = |one: &Scored| parts[one.part].origin;
    let of = |wanted: Origin| ranked.iter().filter(move |(_, one)| origin(one) == wanted);
    let is_split = of(Origin::Conversation).next().is_some_and(|(suspicion, _)| *suspicion >= SPLIT_SCORE);
    let judged = ranked.iter().filter(|(_, one)| origin(one).is_judged()).map(|(_, one)| *one);
    if !is_split {
        return first(MAX_WINDOWS, model, parts, scored, judged);
    }
    let mut chosen = first(MAX_WINDOWS - 2, model, parts, scored, judged);
    for turns in [Origin::Conversation, Origin::Earlier] {
        chosen.extend(first(1, model, parts, scored, of(turns).map(|(_, one)| *one)));
    }
    chosen
}

/// The first `most` stretches around what is `ranked`.
fn first<'s>(
    most: usize,
    model: &dyn Model,
    parts: &[Part<'_>],
    scored: &[Scored],
    ranked: impl Iterator<Item = &'s Scored>,
) -> Vec<Window> {
    let mut chosen: Vec<Window> = Vec::with_capacity(most);
    for one in ranked {
        if chosen.len() == most {
            break;
        }
        if !chosen.iter().any(|stretch| stretch.covers(one)) {
            chosen.extend(around(model, parts, scored, one));
        }
    }
    chosen
}

/// What is read to judge `one`: the whole text if that fits; else, for a window, as much around it as there are windows
/// that share something with it, and if that does not fit either, the window alone.
fn around(model: &dyn Model, parts: &[Part<'_>], scored: &[Scored], one: &Scored) -> Option<Window> {
    let text = parts[one.part].text.views()[one.view].text.as_ref();
    let stretch = |span| Window { part: one.part, view: one.view, span };
    let whole = Span::new(0, text.len());
    if model.fits(text) {
        return Some(stretch(whole));
    }
    let windows = || scored.iter().filter(|other| stretch(whole).is_beside(other) && other.span != whole);
    if one.span == whole && windows().next().is_some() {
        return None;
    }
    let sharing = windows().filter(|other| other.span.overlaps(one.span));
    let wide = sharing.fold(one.span, |span, other| span.cover(other.span));
    Some(stretch(if model.fits(wide.of(text)) { wide } else { one.span }))
}
