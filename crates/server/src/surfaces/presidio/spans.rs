//! Spans of entities in a text, as clients send them: code points, in any order, overlapping.

use std::cmp::Reverse;

use guardengine_engine::fields::{FieldError, Fields};
use serde_json::Value;

/// Most spans of one call.
const MAX_SPANS: usize = 20_000;
/// Longest name of an entity.
const MAX_NAME: usize = 200;

/// An entity in a text. Places are code points, then bytes once they are resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct EntitySpan {
    pub start: usize,
    pub end: usize,
    pub score: f64,
    pub entity_type: String,
}

/// Reads a list of spans.
pub fn read(fields: Fields<'_>, field: &str) -> Result<Vec<EntitySpan>, FieldError> {
    let items = fields.array(field, MAX_SPANS)?.unwrap_or_default();
    let read =
        |(at, item): (usize, &Value)| span(item).map_err(|error| error.under(&format!("{field}.{at}")));
    items.iter().enumerate().map(read).collect()
}

fn span(item: &Value) -> Result<EntitySpan, FieldError> {
    let fields = Fields::of(item, "entity_type").map_err(|_| FieldError::required("entity_type"))?;
    let place = |field: &str| {
        let place = fields.integer(field, 0..=i64::from(u32::MAX))?;
        place.map(|place| place as usize).ok_or_else(|| FieldError::required(field))
    };
    Ok(EntitySpan {
        start: place("start")?,
        end: place("end")?,
        score: fields.number("score", 0.0..=1.0)?.unwrap_or(0.0),
        entity_type: fields.required_text("entity_type", MAX_NAME)?.to_owned(),
    })
}

/// Converts code points to bytes. Returns an error for a span that is not in the text.
pub fn in_bytes(field: &str, text: &str, mut spans: Vec<EntitySpan>) -> Result<Vec<EntitySpan>, FieldError> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let accepted = format!("must have a place in the text, which has {} characters", starts.len() - 1);
    let refused = |at: usize| FieldError::value(format!("{field}.{at}"), accepted.as_str());
    for (at, span) in spans.iter_mut().enumerate() {
        let (Some(start), Some(end)) = (starts.get(span.start), starts.get(span.end)) else {
            return Err(refused(at));
        };
        if start > end {
            return Err(refused(at));
        }
        (span.start, span.end) = (*start, *end);
    }
    Ok(spans)
}

/// Resolves conflicts as Presidio does: spans of one type that touch or overlap are one, a span within another is dropped,
/// and spans of one type with only blanks between them are one. What still overlaps begins where the one before ends.
/// Returns the spans in order.
pub fn resolved(text: &str, spans: Vec<EntitySpan>) -> Vec<EntitySpan> {
    let mut merged = merged_by_type(spans);
    merged.sort_by(|a, b| {
        (a.start, Reverse(a.end)).cmp(&(b.start, Reverse(b.end))).then(b.score.total_cmp(&a.score))
    });
    let mut kept: Vec<EntitySpan> = Vec::new();
    for mut span in merged {
        if let Some(last) = kept.last_mut() {
            if span.end <= last.end {
                continue;
            }
            span.start = span.start.max(last.end);
            let between = &text[last.end..span.start];
            if last.entity_type == span.entity_type && between.bytes().all(|byte| byte == b' ') {
                last.end = span.end;
                continue;
            }
        }
        kept.push(span);
    }
    kept
}

fn merged_by_type(mut spans: Vec<EntitySpan>) -> Vec<EntitySpan> {
    spans.sort_by(|a, b| (&a.entity_type, a.start, a.end).cmp(&(&b.entity_type, b.start, b.end)));
    let mut merged: Vec<EntitySpan> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if last.entity_type == span.entity_type && span.start < last.end => {
                last.end = last.end.max(span.end);
                last.score = last.score.max(span.score);
            }
            _ => merged.push(span),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: usize, end: usize, entity_type: &str) -> EntitySpan {
        EntitySpan { start, end, score: 0.5, entity_type: entity_type.to_owned() }
    }

    fn places(spans: &[EntitySpan]) -> Vec<(usize, usize, &str)> {
        spans.iter().map(|span| (span.start, span.end, span.entity_type.as_str())).collect()
    }

    #[test]
    fn conflicts_are_resolved() {
        let text = "My name is Bond, James Bond";
        let names = vec![span(17, 22, "PERSON"), span(23, 27, "PERSON"), span(11, 15, "PERSON")];
        assert_eq!(places(&resolved(text, names)), [(11, 15, "PERSON"), (17, 27, "PERSON")]);
        let within = vec![span(11, 15, "PERSON"), span(12, 14, "URL"), span(11, 15, "PERSON")];
        assert_eq!(places(&resolved(text, within)), [(11, 15, "PERSON")]);
        let crossing = vec![span(11, 20, "PERSON"), span(17, 27, "LOCATION")];
        assert_eq!(places(&resolved(text, crossing)), [(11, 20, "PERSON"), (20, 27, "LOCATION")]);
    }

    #[test]
    fn places_are_code_points_of_the_text() {
        let spans = in_bytes("results", "é ü", vec![span(2, 3, "X")]).unwrap();
        assert_eq!(places(&spans), [(3, 5, "X")]);
        for outside in [span(2, 9, "X"), span(2, 1, "X")] {
            let error = in_bytes("results", "abc", vec![outside]).unwrap_err().to_string();
            assert_eq!(error, "results.0: must have a place in the text, which has 3 characters");
        }
    }
}
