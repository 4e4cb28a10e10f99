//! `POST /anonymize`: replaces entities of a text. Nothing is evaluated, so nothing is charged or logged.

use std::collections::HashMap;

use axum::Json;
use guardengine_engine::fields::{FieldError, Fields};
use serde_json::{Map, Value, json};

use super::{
    operators::Operator,
    spans::{EntitySpan, in_bytes, read, resolved},
};
use crate::http::{Body, FromFields};

const RESULTS: &str = "analyzer_results";
/// The operator of entities without one of their own.
const DEFAULT: &str = "DEFAULT";
/// Most operators of one call.
const MAX_OPERATORS: usize = 1_000;

/// A text with its entities, and what happens to them.
pub struct Anonymization {
    text: String,
    spans: Vec<EntitySpan>,
    operators: HashMap<String, Operator>,
}

impl FromFields for Anonymization {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let text = fields.required_string("text")?;
        let spans = in_bytes(RESULTS, text, read(fields, RESULTS)?)?;
        let operators = operators(fields, "anonymizers", Operator::read)?;
        Ok(Self { text: text.to_owned(), spans: resolved(text, spans), operators })
    }
}

/// Reads an object with an operator for each entity.
pub fn operators<T>(
    fields: Fields<'_>,
    field: &str,
    read: impl Fn(&Value) -> Result<T, FieldError>,
) -> Result<HashMap<String, T>, FieldError> {
    let accepted =
        || FieldError::value(field, format!("must be an object of at most {MAX_OPERATORS} operators"));
    let none = Map::new();
    let given = match fields.get(field) {
        None => &none,
        Some(value) => value.as_object().filter(|given| given.len() <= MAX_OPERATORS).ok_or_else(accepted)?,
    };
    let read = |(name, value): (&String, &Value)| {
        let operator = read(value).map_err(|error| error.under(&format!("{field}.{name}")))?;
        Ok((name.clone(), operator))
    };
    given.iter().map(read).collect()
}

/// Returns the operator of an entity: its own, or the default one.
pub fn operator_of<'o, T>(operators: &'o HashMap<String, T>, entity_type: &str) -> Option<&'o T> {
    operators.get(entity_type).or_else(|| operators.get(DEFAULT))
}

/// Answers a request.
pub async fn handle(Body(anonymization): Body<Anonymization>) -> Json<Value> {
    let Anonymization { text, spans, operators } = anonymization;
    let by_default = Operator::Replace(None);
    let replaced = spans.into_iter().map(|span| {
        let operator = operator_of(&operators, &span.entity_type).unwrap_or(&by_default);
        let shown = operator.apply(&text[span.start..span.end], &span.entity_type);
        (span, shown, operator.name())
    });
    Json(rewritten(&text, replaced))
}

/// Returns the text with its spans replaced, and where each replacement stands in it, the last one first as at Presidio.
pub fn rewritten(text: &str, replaced: impl Iterator<Item = (EntitySpan, String, &'static str)>) -> Value {
    let (mut written, mut length, mut at, mut items) = (String::with_capacity(text.len()), 0, 0, Vec::new());
    for (span, shown, operator) in replaced {
        let between = &text[at..span.start];
        let start = length + between.chars().count();
        length = start + shown.chars().count();
        written.push_str(between);
        written.push_str(&shown);
        at = span.end;
        items.push(json!({ "start": start, "end": length, "entity_type": span.entity_type, "text": shown,
            "operator": operator }));
    }
    written.push_str(&text[at..]);
    items.reverse();
    json!({ "text": written, "items": items })
}
