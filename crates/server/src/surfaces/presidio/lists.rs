//! Lists of entities, recognizers and operators.

use axum::Json;
use guardengine_engine::pii::types::PII_TYPES;

use super::{entities, operators::Operator};

/// Every entity that the analyzer finds.
pub async fn entities() -> Json<Vec<String>> {
    Json(PII_TYPES.iter().map(|known| entities::name(known.name()).into_owned()).collect())
}

/// The recognizers: one for each entity.
pub async fn recognizers() -> Json<Vec<String>> {
    Json(PII_TYPES.iter().map(|known| known.name().to_owned()).collect())
}

/// The operators of `/anonymize`.
pub async fn anonymizers() -> Json<Vec<&'static str>> {
    Json(Operator::NAMES.to_vec())
}

/// The operators of `/deanonymize`.
pub async fn deanonymizers() -> Json<[&'static str; 2]> {
    Json([super::deanonymize::DECRYPT, super::deanonymize::KEEP])
}
