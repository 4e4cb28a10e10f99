//! Responses without a handler: unknown paths, wrong methods, panics.

use std::any::Any;

use axum::{
    http::StatusCode,
    response::{IntoResponse as _, Response},
};

use crate::http::Error;

/// 404
pub async fn not_found() -> Error {
    Error::new(StatusCode::NOT_FOUND, "path not found")
}

/// 405
pub async fn method_not_allowed() -> Error {
    Error::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed")
}

/// 500. The process continues.
#[expect(clippy::needless_pass_by_value, reason = "the signature that the panic layer requires")]
pub fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    Error::internal(format!("panic: {}", text.unwrap_or_default())).into_response()
}
