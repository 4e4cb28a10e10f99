//! The id under which a request is found again.

use std::time::Instant;

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use uuid::Uuid;

static HEADER: HeaderName = HeaderName::from_static("x-correlation-id");
const LONGEST: usize = 128;

tokio::task_local! {
    static CURRENT: CorrelationId;
}

/// The id of a request: the caller's own, if it is of up to 128 visible ASCII characters, else a UUIDv7.
#[derive(Clone, Debug)]
pub struct CorrelationId(HeaderValue);

impl CorrelationId {
    fn of(request: &Request) -> Self {
        let own = request.headers().get(&HEADER).filter(|value| is_plain(value.as_bytes()));
        Self(own.cloned().unwrap_or_else(fresh))
    }

    /// The id of the request that is being served; a fresh one outside of any.
    pub fn current() -> Self {
        CURRENT.try_with(Clone::clone).unwrap_or_else(|_| Self(fresh()))
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

fn is_plain(value: &[u8]) -> bool {
    (1..=LONGEST).contains(&value.len()) && value.iter().all(u8::is_ascii_graphic)
}

fn fresh() -> HeaderValue {
    HeaderValue::from_str(&Uuid::now_v7().to_string()).unwrap_or(HeaderValue::from_static("none"))
}

/// Gives every request its id, and its line in the log.
pub async fn correlate(request: Request, next: Next) -> Response {
    let id = CorrelationId::of(&request);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let began = Instant::now();
    let mut response = CURRENT.scope(id.clone(), next.run(request)).await;
    let (status, took) = (response.status().as_u16(), began.elapsed());
    tracing::info!(correlation_id = id.as_str(), %method, path, status, ms = took.as_secs_f64() * 1e3, "request");
    response.headers_mut().insert(HEADER.clone(), id.0);
    response
}
