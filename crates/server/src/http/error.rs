//! Error responses. Clients and the service log get different texts.

use std::{borrow::Cow, time::Duration};

use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use guardengine_engine::fields::Invalid;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{CorrelationId, Permission};

/// Result of a handler.
pub type Answer<T> = Result<axum::Json<T>, Error>;

/// Body of an error response.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong. For a rate limit, an object with its values.
    #[schema(example = "project not found")]
    pub detail: Value,
    /// For internal errors: the identifier to look up in the service log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
    /// For internal errors: what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// An error response.
#[derive(Debug)]
pub struct Error {
    status: StatusCode,
    detail: Value,
    headers: Vec<(HeaderName, HeaderValue)>,
    is_store_unavailable: bool,
}

impl Error {
    /// Creates an error from status and detail.
    pub fn new(status: StatusCode, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            detail: Value::String(detail.into().into_owned()),
            headers: Vec::new(),
            is_store_unavailable: false,
        }
    }

    /// 400
    pub fn bad_request(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// 401
    pub fn unauthorized(detail: &'static str) -> Self {
        let challenge = (header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        Self { headers: vec![challenge], ..Self::new(StatusCode::UNAUTHORIZED, detail) }
    }

    /// 401: the token is unknown, altered, expired or used.
    pub fn invalid_token() -> Self {
        Self::unauthorized("invalid or expired token")
    }

    /// 401: the session timed out.
    pub fn session_expired() -> Self {
        Self::unauthorized("session expired, log in again")
    }

    /// 403
    pub fn forbidden(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, detail)
    }

    /// 403: the role lacks a permission.
    pub fn missing_permission(permission: Permission) -> Self {
        Self::forbidden(format!("missing required permission: {permission}"))
    }

    /// 403: the balance is too low.
    pub fn insufficient_credits(operation: &str, needs: i64, balance: i64) -> Self {
        Self::forbidden(format!("insufficient credits: {operation} needs {needs}, balance is {balance}"))
    }

    /// 404: does not exist, or belongs to another organization.
    pub fn not_found(thing: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("{thing} not found"))
    }

    /// 409
    pub fn conflict(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::CONFLICT, detail)
    }

    /// 409: the name is taken; `thing` includes its article.
    pub fn name_taken(thing: &str) -> Self {
        Self::conflict(format!("{thing} with that name already exists"))
    }

    /// 408
    pub fn body_timeout() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "request body not received in time")
    }

    /// 400: the body ended early.
    pub fn unreadable_body() -> Self {
        Self::bad_request("request body could not be read")
    }

    /// 413
    pub fn too_large(limit: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("request body too large: at most {limit} bytes are accepted"),
        )
    }

    /// 422
    pub fn unprocessable(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// 429: too many failed sign-ins.
    pub fn locked_out(wait: Duration) -> Self {
        let seconds = whole_seconds(wait);
        let detail = format!("too many failed attempts, try again in {seconds} seconds");
        Self::new(StatusCode::TOO_MANY_REQUESTS, detail).retry_after(seconds)
    }

    /// 429: a rate limit, with its values.
    pub fn rate_limited(figures: Value, retry_after: u64) -> Self {
        Self { detail: figures, ..Self::new(StatusCode::TOO_MANY_REQUESTS, "") }.retry_after(retry_after)
    }

    /// 503: nothing was evaluated, so nothing is allowed.
    pub fn unavailable(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, detail).retry_after(1)
    }

    /// 503: the store is unavailable. This is logged once, not per request.
    pub fn store_unavailable() -> Self {
        Self { is_store_unavailable: true, ..Self::unavailable("the store does not answer, try again later") }
    }

    /// Whether the store was unavailable.
    pub const fn is_store_unavailable(&self) -> bool {
        self.is_store_unavailable
    }

    /// 500: the service log has the cause, the response the correlation identifier.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, correlation_id = CorrelationId::current().as_str(), "unhandled error");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal server error")
    }

    fn retry_after(mut self, seconds: u64) -> Self {
        self.headers.push((header::RETRY_AFTER, HeaderValue::from(seconds)));
        self
    }
}

/// Rounds up to whole seconds, at least one.
fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0 || wait.is_zero())
}

impl From<guardengine_store::Error> for Error {
    fn from(cause: guardengine_store::Error) -> Self {
        if cause.is_unavailable() { Self::store_unavailable() } else { Self::internal(cause) }
    }
}

impl From<guardengine_vault::Error> for Error {
    fn from(cause: guardengine_vault::Error) -> Self {
        match cause {
            guardengine_vault::Error::Store(cause) if cause.is_unavailable() => Self::store_unavailable(),
            other => Self::internal(other),
        }
    }
}

impl From<Invalid> for Error {
    fn from(error: Invalid) -> Self {
        Self::unprocessable(error.to_string())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let body = if self.status == StatusCode::INTERNAL_SERVER_ERROR {
            let id = CorrelationId::current();
            let message = "The request failed on our side. Quote the correlation id when you report it.";
            json!({ "detail": self.detail, "correlation_id": id.as_str(), "message": message })
        } else {
            json!({ "detail": self.detail })
        };
        let mut response = (self.status, Json(body)).into_response();
        response.headers_mut().extend(self.headers);
        response
    }
}
