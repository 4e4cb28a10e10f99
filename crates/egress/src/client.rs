//! HTTP client for calls to addresses that tenants configure: checks, limits, deadlines, retries.

use std::{error::Error as _, pin::Pin, time::Duration};

use reqwest::{Client, Url, header::LOCATION};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::{
    Blocked, Error, NetworkPolicy, OpenResponse, Request, Response,
    destinations::{Destination, Destinations},
    http_client::client,
    resolver::{Resolver, blocked_cause},
    retry::{MAX_ATTEMPTS, delay_after},
};

/// Redirects followed per attempt.
const MAX_REDIRECTS: usize = 3;
/// Time allowed to open a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Idle connections kept open to each host.
const MAX_IDLE_CONNECTIONS: usize = 4;

/// One attempt of a call.
type Attempt<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// HTTP client that enforces a [`NetworkPolicy`]. Clones share connections and circuit breakers.
#[derive(Clone, Debug)]
pub struct EgressClient {
    client: Client,
    policy: NetworkPolicy,
    destinations: Destinations,
}

impl EgressClient {
    /// Creates a client that enforces `policy`.
    pub fn new(policy: NetworkPolicy) -> Result<Self, Error> {
        let client = client()
            .dns_resolver(Resolver(policy))
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_max_idle_per_host(MAX_IDLE_CONNECTIONS)
            .user_agent(concat!("guardengine/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| Error::Unreachable(error.to_string()))?;
        Ok(Self { client, policy, destinations: Destinations::default() })
    }

    /// Returns the network policy.
    pub const fn network_policy(&self) -> NetworkPolicy {
        self.policy
    }

    /// Makes the call and returns the response if its status is 2xx. Any other outcome is an [`Error`].
    ///
    /// Returns by the request's deadline, which covers retries and the wait for a free slot.
    pub async fn send(&self, request: Request) -> Result<Response, Error> {
        let end = Instant::now() + request.deadline;
        let destination = self.destinations.get(request.destination);
        let permit = timeout_at(end, destination.acquire()).await.map_err(|_| Error::Busy)??;
        let outcome = self.send_with_retries(&request, &destination, end, Self::attempt).await;
        drop(permit);
        outcome
    }

    /// Makes the call and returns the response as soon as its head arrives, if its status is 2xx. Any other outcome is an
    /// [`Error`].
    ///
    /// Returns by the request's deadline, which covers retries. The body has no deadline as a whole.
    pub async fn open(&self, request: Request) -> Result<OpenResponse, Error> {
        let end = Instant::now() + request.deadline;
        let destination = self.destinations.get(request.destination);
        let slot = destination.acquire_open()?;
        let response = self.send_with_retries(&request, &destination, end, Self::attempt_open).await?;
        Ok(OpenResponse::new(response, slot))
    }

    /// Discards the failures recorded for a destination. Call it when the destination's settings change.
    pub fn forget(&self, destination: uuid::Uuid) {
        self.destinations.forget(destination);
    }

    async fn send_with_retries<T>(
        &self,
        request: &Request,
        destination: &Destination,
        end: Instant,
        attempt_once: for<'a> fn(&'a Self, &'a Request) -> Attempt<'a, T>,
    ) -> Result<T, Error> {
        let attempts = if request.repeatable { MAX_ATTEMPTS } else { 1 };
        let circuit = destination.check_circuit();
        if !request.probe {
            circuit?;
        }
        for attempt in 1..=attempts {
            let left = end.saturating_duration_since(Instant::now());
            let attempted = timeout(left, attempt_once(self, request)).await;
            let outcome = attempted.unwrap_or(Err(Error::TimedOut(request.deadline)));
            destination.record_outcome(&outcome);
            match outcome {
                Err(error) if error.is_transient() && attempt < attempts => {
                    let delay = delay_after(attempt, &error);
                    if Instant::now() + delay >= end {
                        return Err(error);
                    }
                    sleep(delay).await;
                }
                outcome => return outcome,
            }
        }
        Err(Error::TimedOut(request.deadline))
    }

    fn attempt<'a>(&'a self, request: &'a Request) -> Attempt<'a, Response> {
        Box::pin(async { read(self.follow(request).await?, request.max_response).await })
    }

    fn attempt_open<'a>(&'a self, request: &'a Request) -> Attempt<'a, reqwest::Response> {
        Box::pin(async {
            let response = self.follow(request).await?;
            if response.status().is_success() {
                return Ok(response);
            }
            Err(Error::Status(Box::new(read_body(response, request.max_response).await?)))
        })
    }

    /// Sends a request and follows redirects.
    async fn follow(&self, request: &Request) -> Result<reqwest::Response, Error> {
        let mut url = self.policy.url(&request.url)?;
        for _ in 0..=MAX_REDIRECTS {
            let response = self.exchange(request, url.clone()).await?;
            match redirect_target(&response, &url)? {
                // A redirected request is sent unchanged or not at all. Statuses other than 307 and 308 would turn it
                // into a GET, so they are followed for safe methods only.
                Some(next) if keeps_method(&response) || request.method.is_safe() => {
                    url = self.policy.url(next.as_str())?;
                }
                _ => return Ok(response),
            }
        }
        Err(Error::Unreachable("too many redirects".to_owned()))
    }

    async fn exchange(&self, request: &Request, url: Url) -> Result<reqwest::Response, Error> {
        let mut builder = self.client.request(request.method.clone(), url);
        for (name, value) in request.header_pairs().ok_or(Blocked::Header)? {
            builder = builder.header(name, value);
        }
        builder.body(request.body.clone()).send().await.map_err(|error| transport_error(&error))
    }
}

/// Returns the target of a redirect, which must have the origin of `requested`; `None` for other responses.
fn redirect_target(response: &reqwest::Response, requested: &Url) -> Result<Option<Url>, Blocked> {
    let location = response.headers().get(LOCATION).filter(|_| response.status().is_redirection());
    let Some(location) = location else { return Ok(None) };
    let next = location.to_str().ok().and_then(|location| requested.join(location).ok());
    next.filter(|next| next.origin() == requested.origin()).map(Some).ok_or(Blocked::Redirect)
}

fn keeps_method(response: &reqwest::Response) -> bool {
    matches!(response.status().as_u16(), 307 | 308)
}

async fn read(response: reqwest::Response, max_bytes: usize) -> Result<Response, Error> {
    let is_success = response.status().is_success();
    let response = read_body(response, max_bytes).await?;
    if is_success { Ok(response) } else { Err(Error::Status(Box::new(response))) }
}

async fn read_body(mut response: reqwest::Response, max_bytes: usize) -> Result<Response, Error> {
    let (status, headers) = (response.status(), response.headers().clone());
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| transport_error(&error))? {
        body.extend_from_slice(&chunk);
        if body.len() > max_bytes {
            return Err(Error::TooLarge(max_bytes));
        }
    }
    Ok(Response { status: status.as_u16(), headers, body })
}

/// Converts a transport error. Uses the text of the innermost cause only, because reqwest's own texts contain the URL.
pub(crate) fn transport_error(error: &reqwest::Error) -> Error {
    if let Some(blocked) = blocked_cause(error) {
        return blocked.into();
    }
    if error.is_timeout() {
        return Error::Unreachable("connection timed out".to_owned());
    }
    let causes = std::iter::successors(error.source(), |error| (*error).source());
    Error::Unreachable(causes.last().map_or_else(|| "connection lost".to_owned(), ToString::to_string))
}
