//! What is to be asked of whom.

use std::{fmt, time::Duration};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use reqwest::{
    Method,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue},
};
use uuid::Uuid;

/// A call. What is sent along is a secret: it is not shown.
#[derive(Clone)]
pub struct Request {
    pub(crate) peer: Uuid,
    pub(crate) method: Method,
    pub(crate) url: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) deadline: Duration,
    pub(crate) largest: usize,
    pub(crate) repeatable: bool,
    pub(crate) probe: bool,
}

impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Request({} to {})", self.method, self.peer)
    }
}

impl Request {
    /// How long a call may take where nothing else is said.
    pub const DEFAULT_DEADLINE: Duration = Duration::from_secs(10);
    /// Bytes of an answer where nothing else is said.
    pub const DEFAULT_MAX_RESPONSE: usize = 1 << 20;

    fn new(peer: Uuid, method: Method, url: String) -> Self {
        // RFC 9110, section 9.2.2.
        let repeatable = method.is_idempotent();
        let (headers, body) = (Vec::new(), Vec::new());
        let (deadline, largest) = (Self::DEFAULT_DEADLINE, Self::DEFAULT_MAX_RESPONSE);
        Self { peer, method, url, headers, body, deadline, largest, repeatable, probe: false }
    }

    /// `GET` of what `peer`, a connector by its id, has at `url`.
    pub fn get(peer: Uuid, url: impl Into<String>) -> Self {
        Self::new(peer, Method::GET, url.into())
    }

    /// `POST` of JSON, written out.
    pub fn post(peer: Uuid, url: impl Into<String>, json: impl Into<Vec<u8>>) -> Self {
        Self::new(peer, Method::POST, url.into()).holding("application/json", json)
    }

    /// `PATCH` with JSON, written out (RFC 5789).
    pub fn patch(peer: Uuid, url: impl Into<String>, json: impl Into<Vec<u8>>) -> Self {
        Self::new(peer, Method::PATCH, url.into()).holding("application/json", json)
    }

    /// `POST` of a form, written out.
    pub fn form(peer: Uuid, url: impl Into<String>, form: impl Into<Vec<u8>>) -> Self {
        Self::new(peer, Method::POST, url.into()).holding("application/x-www-form-urlencoded", form)
    }

    /// `POST` of a body that says itself what it is.
    pub fn post_as(peer: Uuid, url: impl Into<String>, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::new(peer, Method::POST, url.into()).holding(content_type, body)
    }

    fn holding(self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self.header(CONTENT_TYPE.as_str(), content_type) }
    }

    /// With a header.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// With a bearer token (RFC 6750).
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.header(AUTHORIZATION.as_str(), format!("Bearer {token}"))
    }

    /// With a name and a password (RFC 7617).
    #[must_use]
    pub fn basic(self, name: &str, password: &str) -> Self {
        let pair = BASE64_STANDARD.encode(format!("{name}:{password}"));
        self.header(AUTHORIZATION.as_str(), format!("Basic {pair}"))
    }

    /// To be answered within `deadline`, repetitions and waiting for a place included.
    #[must_use]
    pub const fn within(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Accepting answers of so many bytes.
    #[must_use]
    pub const fn at_most(mut self, bytes: usize) -> Self {
        self.largest = bytes;
        self
    }

    /// A call that does no harm when it is made twice, though its method does not say so: one that carries an
    /// idempotency key, or only asks.
    #[must_use]
    pub const fn repeatable(mut self) -> Self {
        self.repeatable = true;
        self
    }

    /// A call to learn whether the peer is there: made once, also while the peer is left alone.
    #[must_use]
    pub const fn probe(mut self) -> Self {
        self.probe = true;
        self.repeatable = false;
        self
    }

    pub(crate) fn header_pairs(&self) -> Option<Vec<(HeaderName, HeaderValue)>> {
        let pair = |(name, value): &(String, String)| {
            let mut value = HeaderValue::from_str(value).ok()?;
            value.set_sensitive(true);
            Some((HeaderName::from_bytes(name.as_bytes()).ok()?, value))
        };
        self.headers.iter().map(pair).collect()
    }
}
