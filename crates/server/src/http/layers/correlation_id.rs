//! The correlation identifier of a request.

use std::time::Instant;

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use uuid::Uuid;

use super::traces::trace_id;

static HEADER: HeaderName = HeaderName::from_static("x-correlation-id");
const MAX_LENGTH: usize = 128;

tokio::task_local! {
    static CURRENT: CorrelationId;
}

/// Correlation identifier: the caller's own if it has 1 to 128 visible ASCII characters, else a UUIDv7.
#[derive(Clone, Debug)]
pub struct CorrelationId(HeaderValue);

impl CorrelationId {
    fn of(request: &Request) -> Self {
        let own = request.headers().get(&HEADER).filter(|value| is_plain(value.as_bytes()));
        Self(own.cloned().unwrap_or_else(fresh))
    }

    /// Returns the identifier of the current request, or a new one outside of a request.
    pub fn current() -> Self {
        CURRENT.try_with(Clone::clone).unwrap_or_else(|_| Self(fresh()))
    }

    /// Returns the identifier as text.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

fn is_plain(value: &[u8]) -> bool {
    (1..=MAX_LENGTH).contains(&value.len()) && value.iter().all(u8::is_ascii_graphic)
}

fn fresh() -> HeaderValue {
    HeaderValue::from_str(&Uuid::now_v7().to_string()).unwrap_or(HeaderValue::from_static("none"))
}

/// Assigns the correlation identifier and logs the request.
pub async fn correlate(request: Request, next: Next) -> Response {
    let id = CorrelationId::of(&request);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let began = Instant::now();
    let mut response = CURRENT.scope(id.clone(), next.run(request)).await;
    let (status, ms) = (response.status().as_u16(), began.elapsed().as_secs_f64() * 1e3);
    let trace_id = trace_id();
    tracing::info!(correlation_id = id.as_str(), trace_id, %method, path, status, ms, "request");
    response.headers_mut().insert(HEADER.clone(), id.0);
    response
}
