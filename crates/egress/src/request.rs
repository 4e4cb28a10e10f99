//! Outgoing HTTP request.

use std::{fmt, time::Duration};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use reqwest::{
    Method,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue},
};
use uuid::Uuid;

/// An outgoing request. `Debug` shows only the method and the destination, because the rest may contain secrets.
#[derive(Clone)]
pub struct Request {
    pub(crate) destination: Uuid,
    pub(crate) method: Method,
    pub(crate) url: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) deadline: Duration,
    pub(crate) max_response: usize,
    pub(crate) repeatable: bool,
    pub(crate) probe: bool,
}

impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Request({} to {})", self.method, self.destination)
    }
}

impl Request {
    /// Deadline unless [`within`](Self::within) sets another.
    pub const DEFAULT_DEADLINE: Duration = Duration::from_secs(10);
    /// Accepted response size in bytes unless [`at_most`](Self::at_most) sets another.
    pub const DEFAULT_MAX_RESPONSE: usize = 1 << 20;

    fn new(destination: Uuid, method: Method, url: String) -> Self {
        // RFC 9110, section 9.2.2.
        let repeatable = method.is_idempotent();
        let (headers, body) = (Vec::new(), Vec::new());
        let (deadline, max_response) = (Self::DEFAULT_DEADLINE, Self::DEFAULT_MAX_RESPONSE);
        Self { destination, method, url, headers, body, deadline, max_response, repeatable, probe: false }
    }

    /// Creates a `GET` request. `destination` is the id of the connector.
    pub fn get(destination: Uuid, url: impl Into<String>) -> Self {
        Self::new(destination, Method::GET, url.into())
    }

    /// Creates a `POST` request with serialized JSON.
    pub fn post(destination: Uuid, url: impl Into<String>, json: impl Into<Vec<u8>>) -> Self {
        Self::new(destination, Method::POST, url.into()).with_body("application/json", json)
    }

    /// Creates a `PATCH` request (RFC 5789) with serialized JSON.
    pub fn patch(destination: Uuid, url: impl Into<String>, json: impl Into<Vec<u8>>) -> Self {
        Self::new(destination, Method::PATCH, url.into()).with_body("application/json", json)
    }

    /// Creates a `POST` request with a URL-encoded form.
    pub fn form(destination: Uuid, url: impl Into<String>, form: impl Into<Vec<u8>>) -> Self {
        Self::new(destination, Method::POST, url.into()).with_body("application/x-www-form-urlencoded", form)
    }

    /// Creates a `POST` request with a body of the given content type.
    pub fn post_as(
        destination: Uuid,
        url: impl Into<String>,
        content_type: &str,
        body: impl Into<Vec<u8>>,
    ) -> Self {
        Self::new(destination, Method::POST, url.into()).with_body(content_type, body)
    }

    fn with_body(self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self.header(CONTENT_TYPE.as_str(), content_type) }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Adds a bearer token (RFC 6750).
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.header(AUTHORIZATION.as_str(), format!("Bearer {token}"))
    }

    /// Adds a user name and password (RFC 7617).
    #[must_use]
    pub fn basic(self, name: &str, password: &str) -> Self {
        let pair = BASE64_STANDARD.encode(format!("{name}:{password}"));
        self.header(AUTHORIZATION.as_str(), format!("Basic {pair}"))
    }

    /// Returns the address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Sets the deadline, which includes retries and the wait for a free slot.
    #[must_use]
    pub const fn within(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Sets the accepted response size in bytes.
    #[must_use]
    pub const fn at_most(mut self, bytes: usize) -> Self {
        self.max_response = bytes;
        self
    }

    /// Allows retries for a method that HTTP does not define as idempotent. Use it for requests with an idempotency key
    /// and for queries.
    #[must_use]
    pub const fn repeatable(mut self) -> Self {
        self.repeatable = true;
        self
    }

    /// Makes this a health check: sent once, without retries, even while the circuit is open.
    #[must_use]
    pub const fn probe(mut self) -> Self {
        self.probe = true;
        self.repeatable = false;
        self
    }

    /// Returns the headers, marked as sensitive; `None` if one is not valid HTTP.
    pub(crate) fn header_pairs(&self) -> Option<Vec<(HeaderName, HeaderValue)>> {
        let pair = |(name, value): &(String, String)| {
            let mut value = HeaderValue::from_str(value).ok()?;
            value.set_sensitive(true);
            Some((HeaderName::from_bytes(name.as_bytes()).ok()?, value))
        };
        self.headers.iter().map(pair).collect()
    }
}
