//! Errors in the form that clients of a surface expect.

use axum::{
    body::Body,
    extract::Request,
    http::{StatusCode, header},
    middleware::Next,
    response::Response,
};
use serde_json::Value;

use crate::http::ErrorParts;

/// Returns the status and the body of an error in the foreign form, from ours.
pub type ErrorForm = fn(StatusCode, &str) -> (StatusCode, Value);

/// Rewrites the body of an error response. Its headers stay.
pub async fn apply(form: ErrorForm, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let Some(error) = response.extensions_mut().remove::<ErrorParts>() else { return response };
    let (status, body) = form(error.status, error.message());
    *response.status_mut() = status;
    *response.body_mut() = Body::from(body.to_string());
    response.headers_mut().remove(header::CONTENT_LENGTH);
    response
}
