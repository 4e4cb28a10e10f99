//! Finds become places: sorted, apart from each other, none inside a marker.

use super::markers;
use crate::{pii::Found, span::Span};

/// A stretch of the original that one replacement stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place<'a> {
    /// Wire name of the strongest find's kind.
    pub kind: &'static str,
    /// Where, in bytes of the original.
    pub span: Span,
    /// What the original shows there.
    pub written: &'a str,
    /// What it means: decoded where the original is encoded.
    pub value: &'a str,
}

/// The places of all finds: overlapping ones are one place, of the kind with the highest confidence.
pub(super) fn places<'a>(original: &'a str, found: &'a [Found]) -> Vec<Place<'a>> {
    let mut usable = outside_markers(original, found);
    usable.sort_by_key(|find| (find.span.start, std::cmp::Reverse(find.span.end)));
    let mut places = Vec::with_capacity(usable.len());
    let mut rest = usable.as_slice();
    while let Some(first) = rest.first() {
        let (span, count) = reach(first.span, rest);
        places.push(place(original, span, &rest[..count]));
        rest = &rest[count..];
    }
    places
}

fn outside_markers<'a>(original: &str, found: &'a [Found]) -> Vec<&'a Found> {
    let markers = markers(original);
    let inside = |span: Span| {
        let before = markers.partition_point(|marker| marker.start <= span.start);
        before > 0 && span.end <= markers[before - 1].end
    };
    let is_text = |span: Span| !span.is_empty() && original.get(span.start..span.end).is_some();
    found.iter().filter(|find| is_text(find.span) && !inside(find.span)).collect()
}

/// How far finds that overlap, one the next, go from `span`, and how many of `sorted` they are.
fn reach(mut span: Span, sorted: &[&Found]) -> (Span, usize) {
    let mut count = 0;
    while let Some(next) = sorted.get(count).filter(|next| next.span.overlaps(span)) {
        span = span.cover(next.span);
        count += 1;
    }
    (span, count)
}

fn place<'a>(original: &'a str, span: Span, group: &[&'a Found]) -> Place<'a> {
    let mut strongest = group[0];
    for find in group {
        if find.confidence > strongest.confidence {
            strongest = find;
        }
    }
    let written = span.of(original);
    // The strongest value says nothing about what other finds add to the place, unless only it can be read.
    let whole = strongest.span == span || !strongest.transforms.is_empty();
    let value = if whole { strongest.value.as_str() } else { written };
    Place { kind: strongest.kind, span, written, value }
}
