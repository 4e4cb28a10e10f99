//! Error responses: the table from errors of the layers below to statuses. Clients and the service log get different texts.

use std::borrow::Cow;

use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use guardengine_auth::{Permission, whole_seconds};
use guardengine_engine::fields::FieldError;
use guardengine_store::StoreError;
use serde_json::{Value, json};

use super::CorrelationId;

/// Result of a handler.
pub type Answer<T> = Result<axum::Json<T>, Error>;

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
    fn unauthorized(detail: impl Into<Cow<'static, str>>) -> Self {
        let challenge = (header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        Self { headers: vec![challenge], ..Self::new(StatusCode::UNAUTHORIZED, detail) }
    }

    /// Returns the status.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns true for a missing or refused credential.
    pub fn is_unauthorized(&self) -> bool {
        self.status == StatusCode::UNAUTHORIZED
    }

    /// Returns the text for the client.
    pub fn message(&self) -> &str {
        self.detail.as_str().unwrap_or_default()
    }

    /// 403: the role lacks a permission.
    pub fn missing_permission(permission: Permission) -> Self {
        guardengine_auth::Error::MissingPermission(permission).into()
    }

    /// 401: the token is unknown, altered, expired or used.
    pub fn invalid_token() -> Self {
        guardengine_auth::Error::InvalidToken.into()
    }

    /// 403
    pub fn forbidden(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, detail)
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

    /// 415: the body has another coding than those of `Accept-Encoding`.
    pub fn unsupported_encoding(coding: &str) -> Self {
        let accepted = (header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, br, zstd, deflate"));
        let shown: String = coding.chars().take(100).collect();
        let detail = format!("unsupported content encoding: {shown}");
        Self { headers: vec![accepted], ..Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail) }
    }

    /// 422
    pub fn unprocessable(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// 429: a rate limit, with its values.
    pub fn rate_limited(values: Value, retry_after: u64) -> Self {
        Self { detail: values, ..Self::new(StatusCode::TOO_MANY_REQUESTS, "") }.retry_after(retry_after)
    }

    /// 503: nothing was evaluated, so nothing is allowed.
    pub fn unavailable(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, detail).retry_after(1)
    }

    /// 503: the store is unavailable. This is logged once, not per request.
    pub fn store_unavailable() -> Self {
        Self { is_store_unavailable: true, ..Self::unavailable("the store does not answer, try again later") }
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

impl StoreError for Error {
    fn is_store_unavailable(&self) -> bool {
        self.is_store_unavailable
    }
}

impl From<guardengine_store::Error> for Error {
    fn from(error: guardengine_store::Error) -> Self {
        if error.is_unavailable() { Self::store_unavailable() } else { Self::internal(error) }
    }
}

impl From<guardengine_vault::Error> for Error {
    fn from(error: guardengine_vault::Error) -> Self {
        if error.is_store_unavailable() { Self::store_unavailable() } else { Self::internal(error) }
    }
}

impl From<guardengine_auth::Error> for Error {
    fn from(error: guardengine_auth::Error) -> Self {
        use guardengine_auth::Error as Auth;
        let text = error.to_string();
        match error {
            Auth::InvalidToken
            | Auth::SessionExpired
            | Auth::InvalidCredentials
            | Auth::InvalidApiKey
            | Auth::InactiveApiKey
            | Auth::ExpiredApiKey => Self::unauthorized(text),
            Auth::MissingPermission(_) | Auth::NotAMember => Self::forbidden(text),
            Auth::NotFound(thing) => Self::not_found(thing),
            Auth::LockedOut(wait) => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, text).retry_after(whole_seconds(wait))
            }
            Auth::NotSigned(_) => Self::internal(text),
            Auth::Store(error) => error.into(),
        }
    }
}

impl From<guardengine_integrations::Error> for Error {
    fn from(error: guardengine_integrations::Error) -> Self {
        use guardengine_integrations::Error as Integrations;
        match error {
            Integrations::NoAiConnector
            | Integrations::NotAnAiConnector { .. }
            | Integrations::NoCompletionModel => Self::bad_request(error.to_string()),
            Integrations::Vault(error) => error.into(),
            Integrations::Store(error) => error.into(),
        }
    }
}

impl From<guardengine_guard::Error> for Error {
    fn from(error: guardengine_guard::Error) -> Self {
        use guardengine_guard::Error as Guard;
        let text = error.to_string();
        match error {
            Guard::Auth(error) => error.into(),
            Guard::Integration(error) => error.into(),
            Guard::NotFound(thing) => Self::not_found(thing),
            Guard::NoTranscriptionModel => Self::bad_request(text),
            Guard::InactiveConnector | Guard::InsufficientCredits { .. } => Self::forbidden(text),
            Guard::TooLarge(limit) => Self::too_large(limit),
            Guard::InvalidFile { .. } | Guard::ProjectRequired => Self::unprocessable(text),
            Guard::Challenge(_) | Guard::JobLost => Self::conflict(text),
            Guard::Unavailable(_) | Guard::Interrupted(_) => Self::unavailable(text),
            Guard::Vault(error) => error.into(),
            Guard::Store(error) => error.into(),
            Guard::Internal(_) => Self::internal(text),
        }
    }
}

impl From<FieldError> for Error {
    fn from(error: FieldError) -> Self {
        Self::unprocessable(error.to_string())
    }
}

/// Status and detail of an error response, for layers that write it in another form.
#[derive(Clone, Debug)]
pub struct ErrorParts {
    /// Status.
    pub status: StatusCode,
    /// The `detail` of the body.
    pub detail: Value,
}

impl ErrorParts {
    /// Returns the text for the client.
    pub fn message(&self) -> &str {
        self.detail.as_str().or_else(|| self.detail["message"].as_str()).unwrap_or_default()
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
        response.extensions_mut().insert(ErrorParts { status: self.status, detail: self.detail });
        response
    }
}
