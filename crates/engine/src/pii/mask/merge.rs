//! Turns entities into places to mask: sorted, disjoint, and outside existing markers.

use super::markers;
use crate::{
    pii::{Entity, EntityType},
    span::Span,
};

/// A part of the original to replace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place<'a> {
    /// Name of the most certain entity's type.
    pub kind: &'a EntityType,
    /// Location in bytes of the original.
    pub span: Span,
    /// Text of the original.
    pub written: &'a str,
    /// Decoded value.
    pub value: &'a str,
}

/// Returns the places of all entities. Overlapping entities are one place: of a custom type if there is one, else of the
/// type with the highest confidence. Markers may name one of the types `custom`.
pub(crate) fn places<'a>(original: &'a str, found: &'a [Entity], custom: &[String]) -> Vec<Place<'a>> {
    let mut usable = outside_markers(original, found, custom);
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

fn outside_markers<'a>(original: &str, found: &'a [Entity], custom: &[String]) -> Vec<&'a Entity> {
    let markers = markers(original, custom);
    let inside = |span: Span| {
        let before = markers.partition_point(|marker| marker.start <= span.start);
        before > 0 && span.end <= markers[before - 1].end
    };
    let is_text = |span: Span| !span.is_empty() && original.get(span.start..span.end).is_some();
    found.iter().filter(|find| is_text(find.span) && !inside(find.span)).collect()
}

/// Returns the end of the chain of overlapping entities that starts with `span`, and their number.
fn reach(mut span: Span, sorted: &[&Entity]) -> (Span, usize) {
    let mut count = 0;
    while let Some(next) = sorted.get(count).filter(|next| next.span.overlaps(span)) {
        span = span.cover(next.span);
        count += 1;
    }
    (span, count)
}

fn place<'a>(original: &'a str, span: Span, group: &[&'a Entity]) -> Place<'a> {
    let mut strongest = group[0];
    for find in group {
        let rank = |entity: &Entity| (entity.kind.is_custom(), entity.confidence);
        if rank(find) > rank(strongest) {
            strongest = find;
        }
    }
    let written = span.of(original);
    // The most certain value does not cover what other entities add to the place, unless only it is readable.
    let whole = strongest.span == span || !strongest.transforms.is_empty();
    let value = if whole { strongest.value.as_str() } else { written };
    Place { kind: &strongest.kind, span, written, value }
}
