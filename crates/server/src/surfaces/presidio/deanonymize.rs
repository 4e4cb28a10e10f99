//! `POST /deanonymize`: decrypts entities of a text that `/anonymize` encrypted.

use std::collections::HashMap;

use axum::Json;
use guardengine_engine::fields::{FieldError, Fields};
use serde_json::Value;

use super::{
    anonymize::{operator_of, operators, rewritten},
    cipher::Key,
    spans::{EntitySpan, in_bytes, read},
};
use crate::http::{Body, Error, FromFields};

const RESULTS: &str = "anonymizer_results";
/// Names of the operators.
pub const DECRYPT: &str = "decrypt";
pub const KEEP: &str = "deanonymize_keep";

/// A way to restore a value.
enum Operator {
    Decrypt(Key),
    Keep,
}

/// A text with its entities, and what happens to them.
pub struct Deanonymization {
    text: String,
    spans: Vec<EntitySpan>,
    operators: HashMap<String, Operator>,
}

impl FromFields for Deanonymization {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let text = fields.required_string("text")?;
        let mut spans = in_bytes(RESULTS, text, read(fields, RESULTS)?)?;
        spans.sort_by_key(|span| (span.start, span.end));
        if spans.windows(2).any(|two| two[1].start < two[0].end) {
            return Err(FieldError::value(RESULTS, "must not overlap"));
        }
        let operators = operators(fields, "deanonymizers", operator)?;
        Ok(Self { text: text.to_owned(), spans, operators })
    }
}

fn operator(value: &Value) -> Result<Operator, FieldError> {
    let fields = Fields::of(value, "type").map_err(|_| FieldError::required("type"))?;
    let is_decrypt = fields.choice("type", &[(DECRYPT, true), (KEEP, false)])?;
    if is_decrypt.ok_or_else(|| FieldError::required("type"))? {
        Ok(Operator::Decrypt(Key::read(fields)?))
    } else {
        Ok(Operator::Keep)
    }
}

/// Answers a request.
pub async fn handle(Body(deanonymization): Body<Deanonymization>) -> Result<Json<Value>, Error> {
    let Deanonymization { text, spans, operators } = deanonymization;
    let restored = |(at, span): (usize, EntitySpan)| {
        let written = &text[span.start..span.end];
        match operator_of(&operators, &span.entity_type) {
            Some(Operator::Decrypt(key)) => {
                let refused =
                    || FieldError::value(format!("{RESULTS}.{at}"), "was not encrypted with this key");
                let value = key.decrypt(written).ok_or_else(refused)?;
                Ok((span, value, DECRYPT))
            }
            Some(Operator::Keep) => Ok((span.clone(), written.to_owned(), KEEP)),
            None => Err(FieldError::required(format!("deanonymizers.{}", span.entity_type))),
        }
    };
    let restored: Vec<_> = spans.into_iter().enumerate().map(restored).collect::<Result<_, FieldError>>()?;
    Ok(Json(rewritten(&text, restored.into_iter())))
}
