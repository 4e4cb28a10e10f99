//! The excerpt of a submission that a language model sees.
//!
//! Submissions of up to [`MAX_BYTES`] bytes are shown whole. Of longer ones the excerpt has the beginning and the end of
//! the subject, and the windows with the highest classifier scores for the guardrails in question, each with some
//! surrounding text, until the limit is reached. They are shown in text order and marked as cut. PII is masked, unless
//! the model is hosted by the organization.

use std::ops::Range;

use guardengine_engine::{
    Evidence,
    evidence::{Author, Origin, Part},
    guardrail::Direction,
    pii::{
        Entity, find_all,
        mask::{MaskKeys, Strategy, mask},
    },
    policy::CompiledPolicy,
    scores::label,
    span::Span,
};
use serde::Serialize;

/// Maximum size of an excerpt in bytes, about four thousand tokens.
const MAX_BYTES: usize = 16 * 1024;
/// Bytes shown at the beginning and at the end of a long subject.
const EDGE_BYTES: usize = 1024;
/// Bytes shown before and after a suspicious window.
const CONTEXT_BYTES: usize = 256;

/// The excerpt of a submission, by part.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Excerpt(Vec<Shown>);

/// The excerpt of one text.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Shown {
    /// Role of the text in the submission.
    text: &'static str,
    /// True if the text is longer than the excerpt.
    cut: bool,
    /// Passages in text order.
    stretches: Vec<String>,
}

/// Options for building an excerpt.
#[derive(Clone, Copy)]
pub struct ExcerptOptions<'a> {
    /// Policy whose guardrails select the passages.
    pub policy: &'a CompiledPolicy,
    /// True if the model is hosted by the organization, so that PII stays unmasked.
    pub is_internal: bool,
    /// The organization's masking keys.
    pub keys: &'a MaskKeys,
}

impl Excerpt {
    /// Returns the excerpt of `evidence`.
    pub fn of(evidence: &Evidence<'_>, options: ExcerptOptions<'_>) -> Self {
        let is_shown = |part: &Part<'_>| !matches!(part.origin, Origin::PriorTurnsAndSubject(_));
        let whole: usize =
            evidence.parts.iter().filter(|part| is_shown(part)).map(|part| part.text.original().len()).sum();
        let selected = if whole <= MAX_BYTES { Vec::new() } else { select(evidence, options.policy) };
        let shown = |(at, part): (usize, &Part<'_>)| {
            let (text, length) = (part.text.original(), part.text.original().len());
            let ranges = if whole <= MAX_BYTES {
                std::iter::once(0..length).collect()
            } else {
                merge(at, text, &selected)
            };
            let found = if options.is_internal { Vec::new() } else { entities(evidence, at) };
            let stretches: Vec<_> =
                ranges.iter().map(|range| masked(text, range, &found, options.keys)).collect();
            let cut = ranges.iter().map(Range::len).sum::<usize>() < length;
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
        (Origin::Audio, _) => "transcript of a recording",
        (Origin::Turn(_, Author::User), _) => "an earlier turn of the user",
        (Origin::Turn(_, Author::Model), _) => "an earlier turn of the model",
        (Origin::Turn(_, Author::Tool), _) => "result of a tool",
        (Origin::PriorTurns(_) | Origin::PriorTurnsAndSubject(_), _) => "the user's earlier turns",
        (Origin::Subject, Direction::Input) => "prompt",
        (Origin::Subject, Direction::Output) => "response",
    }
}

/// Returns the PII in a part; parts that are not evaluated are scanned now.
fn entities(evidence: &Evidence<'_>, part: usize) -> Vec<Entity> {
    let text = &evidence.parts[part];
    if text.origin.is_evaluated() { evidence.pii[part].clone() } else { find_all(&text.text) }
}

/// Selects ranges of parts until the size limit is reached: the edges of the subject, then the most suspicious windows.
fn select(evidence: &Evidence<'_>, policy: &CompiledPolicy) -> Vec<(usize, Range<usize>)> {
    let labels: Vec<usize> = policy.arguable().filter_map(|guardrail| label(guardrail.name)).collect();
    let suspicion = |scores: &[f32]| labels.iter().map(|label| scores[*label]).fold(0.0_f32, f32::max);
    let mut windows: Vec<_> =
        evidence.scores.scored.iter().map(|scored| (suspicion(&scored.scores), scored)).collect();
    windows.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let window = |(_, scored): (f32, &guardengine_engine::scores::WindowScores)| {
        let span = evidence.parts[scored.part].text.views()[scored.view].original(scored.span);
        // A window over a whole long text does not locate anything.
        let is_local = span.len() <= MAX_BYTES / 4;
        is_local.then(|| (scored.part, span.start.saturating_sub(CONTEXT_BYTES)..span.end + CONTEXT_BYTES))
    };
    let subject = evidence.parts[0].text.original().len();
    let edges = [(0, 0..EDGE_BYTES.min(subject)), (0, subject.saturating_sub(EDGE_BYTES)..subject)];
    let mut remaining = MAX_BYTES;
    let fits = |(_, range): &(usize, Range<usize>)| {
        let fits = range.len() <= remaining;
        remaining = remaining.saturating_sub(range.len());
        fits
    };
    edges.into_iter().chain(windows.into_iter().filter_map(window)).take_while(fits).collect()
}

/// Returns the selected ranges of a part in text order, merged where they overlap, at character boundaries.
fn merge(part: usize, text: &str, selected: &[(usize, Range<usize>)]) -> Vec<Range<usize>> {
    let at_boundaries =
        |range: &Range<usize>| text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end);
    let mut ranges: Vec<_> =
        selected.iter().filter(|(at, _)| *at == part).map(|(_, range)| at_boundaries(range)).collect();
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range),
        }
    }
    merged
}

/// Returns a range of a text with PII masked, including PII that crosses the edge of the range.
fn masked(text: &str, range: &Range<usize>, found: &[Entity], keys: &MaskKeys) -> String {
    let inside = |found: &Entity| {
        let span = found.span;
        let (start, end) = (span.start.max(range.start), span.end.min(range.end));
        let span = (start < end).then(|| Span::new(start - range.start, end - range.start))?;
        Some(Entity { span, ..found.clone() })
    };
    let found: Vec<_> = found.iter().filter_map(inside).collect();
    mask(&text[range.clone()], &found, Strategy::Full, keys).text
}

#[cfg(test)]
mod tests;
