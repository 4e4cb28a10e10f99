//! Presidio's analyzer and anonymizer over REST. Anonymizing follows presidio-anonymizer 2.2.366.

mod analyze;
mod anonymize;
mod cipher;
mod deanonymize;
mod entities;
mod lists;
mod operators;
mod spans;

use axum::{
    http::StatusCode,
    routing::{MethodRouter, get, post},
};
use guardengine_auth::permission::MASK;
use guardengine_guard::Operation;
use serde_json::{Value, json};

use super::{ErrorForm, SurfaceRoute, route};
use crate::{app::App, http::Access};

/// The routes of this surface.
pub fn routes() -> Vec<SurfaceRoute> {
    let masks = |path, handler, errors| route(path, Access::Needs(MASK), Operation::Mask, handler, errors);
    // These evaluate nothing, so there is no outcome to count.
    let plain = |path, handler: MethodRouter<App>| {
        masks(path, handler, anonymizer_error as ErrorForm).without_outcome()
    };
    vec![
        masks("/analyze", post(analyze::handle), analyzer_error),
        plain("/anonymize", post(anonymize::handle)),
        plain("/deanonymize", post(deanonymize::handle)),
        plain("/supportedentities", get(lists::entities)),
        plain("/recognizers", get(lists::recognizers)),
        plain("/anonymizers", get(lists::anonymizers)),
        plain("/deanonymizers", get(lists::deanonymizers)),
    ]
}

/// Errors of the analyzer: 500 for what is missing, 400 for other values.
fn analyzer_error(status: StatusCode, detail: &str) -> (StatusCode, Value) {
    let (status, detail) = match (status, detail) {
        (StatusCode::UNPROCESSABLE_ENTITY, "field required: text") => {
            (StatusCode::INTERNAL_SERVER_ERROR, "No text provided")
        }
        (StatusCode::UNPROCESSABLE_ENTITY, "field required: language") => {
            (StatusCode::INTERNAL_SERVER_ERROR, "No language provided")
        }
        (StatusCode::UNPROCESSABLE_ENTITY, detail) => (StatusCode::BAD_REQUEST, detail),
        other => other,
    };
    (status, json!({ "error": detail }))
}

/// Errors of the anonymizer: 400 for a body that is not JSON.
fn anonymizer_error(status: StatusCode, detail: &str) -> (StatusCode, Value) {
    let is_unreadable = status == StatusCode::UNPROCESSABLE_ENTITY && detail.starts_with("invalid JSON");
    let status = if is_unreadable { StatusCode::BAD_REQUEST } else { status };
    (status, json!({ "error": detail }))
}
