//! What of a submission is shown to a language model.
//!
//! All of it up to [`MOST`] bytes. Of a longer one the beginning and the end of the subject, and the windows that
//! the classifiers find most suspicious for the guardrails in question, each with what stands around it, the most
//! suspicious first until the measure is full; they are shown in their order, and the model is told that there is more.
//! Personal data is masked, unless the model is one of the organisation's own.

use std::ops::Range;

use guardengine_engine::{
    Evidence,
    evidence::{Origin, Part},
    guardrail::Direction,
    pii::{
        Found, find_all,
        mask::{MaskKeys, mask},
    },
    policy::{Compiled, written::Strategy},
    scores::label,
    span::Span,
};
use serde::Serialize;

/// Bytes that are shown; about four thousand tokens.
const MOST: usize = 16 * 1024;
/// Bytes at the beginning and the end of a long subject.
const EDGE: usize = 1024;
/// Bytes around a suspicious window.
const AROUND: usize = 256;

/// What is shown of a submission.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Excerpt(Vec<Shown>);

/// What is shown of one of its texts.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Shown {
    /// What it is.
    text: &'static str,
    /// Whether there is more of it.
    cut: bool,
    /// Its stretches, in their order.
    stretches: Vec<String>,
}

/// How the texts are shown.
#[derive(Clone, Copy)]
pub struct ExcerptOptions<'a> {
    /// For which guardrails.
    pub policy: &'a Compiled,
    /// Whether they stay in the organisation, so that they need no mask.
    pub is_internal: bool,
    /// The organisation's keys.
    pub keys: &'a MaskKeys,
}

impl Excerpt {
    /// What of `evidence` is shown.
    pub fn of(evidence: &Evidence<'_>, manner: ExcerptOptions<'_>) -> Self {
        let is_shown = |part: &Part<'_>| part.origin != Origin::Conversation;
        let whole: usize =
            evidence.parts.iter().filter(|part| is_shown(part)).map(|part| part.text.original().len()).sum();
        let chosen = if whole <= MOST { Vec::new() } else { chosen(evidence, manner.policy) };
        let shown = |(at, part): (usize, &Part<'_>)| {
            let (text, length) = (part.text.original(), part.text.original().len());
            let places =
                if whole <= MOST { std::iter::once(0..length).collect() } else { joined(at, text, &chosen) };
            let found = if manner.is_internal { Vec::new() } else { found(evidence, at) };
            let stretches: Vec<_> =
                places.iter().map(|place| masked(text, place, &found, manner.keys)).collect();
            let cut = places.iter().map(Range::len).sum::<usize>() < length;
            Shown { text: name(part.origin, evidence.direction), cut, stretches }
        };
        let parts = evidence.parts.iter().enumerate().filter(|(_, part)| is_shown(part));
        Self(parts.map(shown).filter(|shown| !shown.stretches.is_empty()).collect())
    }
}

const fn name(origin: Origin, direction: Direction) -> &'static str {
    match (origin, direction) {
        (Origin::Document(_), _) => "document",
        (Origin::Image(_), _) => "text of an image",
        (Origin::Speech, _) => "transcript of a recording",
        (Origin::Earlier | Origin::Conversation, _) => "the user's earlier turns",
        (Origin::Subject, Direction::Input) => "prompt",
        (Origin::Subject, Direction::Output) => "response",
    }
}

/// Personal data in a part; in one that is not judged nobody has looked for it yet.
fn found(evidence: &Evidence<'_>, part: usize) -> Vec<Found> {
    let text = &evidence.parts[part];
    if text.origin.is_judged() { evidence.pii[part].clone() } else { find_all(&text.text) }
}

/// Places in parts, the edges of the subject and then the most suspicious first, until the measure is full.
fn chosen(evidence: &Evidence<'_>, policy: &Compiled) -> Vec<(usize, Range<usize>)> {
    let labels: Vec<usize> = policy.arguable().filter_map(|guardrail| label(guardrail.name)).collect();
    let suspicion = |scores: &[f32]| labels.iter().map(|label| scores[*label]).fold(0.0_f32, f32::max);
    let mut windows: Vec<_> =
        evidence.scores.scored.iter().map(|scored| (suspicion(&scored.scores), scored)).collect();
    windows.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let window = |(_, scored): (f32, &guardengine_engine::scores::Scored)| {
        let span = evidence.parts[scored.part].text.views()[scored.view].original(scored.span);
        // A whole view of a long text stands for no place in it.
        let is_place = span.len() <= MOST / 4;
        is_place.then(|| (scored.part, span.start.saturating_sub(AROUND)..span.end + AROUND))
    };
    let subject = evidence.parts[0].text.original().len();
    let edges = [(0, 0..EDGE.min(subject)), (0, subject.saturating_sub(EDGE)..subject)];
    let mut left = MOST;
    let fits = |(_, place): &(usize, Range<usize>)| {
        let fits = place.len() <= left;
        left = left.saturating_sub(place.len());
        fits
    };
    edges.into_iter().chain(windows.into_iter().filter_map(window)).take_while(fits).collect()
}

/// The chosen places of a part, in order, none twice, between characters.
fn joined(part: usize, text: &str, chosen: &[(usize, Range<usize>)]) -> Vec<Range<usize>> {
    let within =
        |place: &Range<usize>| text.floor_char_boundary(place.start)..text.ceil_char_boundary(place.end);
    let mut places: Vec<_> =
        chosen.iter().filter(|(at, _)| *at == part).map(|(_, place)| within(place)).collect();
    places.sort_by_key(|place| place.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for place in places {
        match joined.last_mut().filter(|last| place.start <= last.end) {
            Some(last) => last.end = last.end.max(place.end),
            None => joined.push(place),
        }
    }
    joined
}

/// A stretch of a text, masked; of personal data that reaches over its edge nothing is shown either.
fn masked(text: &str, place: &Range<usize>, found: &[Found], keys: &MaskKeys) -> String {
    let inside = |found: &Found| {
        let span = found.span;
        let (start, end) = (span.start.max(place.start), span.end.min(place.end));
        let span = (start < end).then(|| Span::new(start - place.start, end - place.start))?;
        Some(Found { span, ..found.clone() })
    };
    let found: Vec<_> = found.iter().filter_map(inside).collect();
    mask(&text[place.clone()], &found, Strategy::Full, keys).text
}

#[cfg(test)]
mod tests;
