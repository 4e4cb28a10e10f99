//! A call: checked, given a place, made within its deadline, repeated where that is safe.

use std::{error::Error as _, time::Duration};

use reqwest::{Client, Url, header::LOCATION};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::{
    Blocked, Error, NetworkPolicy, Request, Response,
    destinations::{Destination, Destinations},
    http_client::client,
    resolver::{Resolver, refusal},
    retry::{MAX_ATTEMPTS, delay_before},
};

/// Redirects that are followed.
const MAX_REDIRECTS: usize = 3;
/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Idle connections that are kept to a host.
const MAX_IDLE_CONNECTIONS: usize = 4;

/// Where calls go out; cheap to clone.
#[derive(Clone, Debug)]
pub struct EgressClient {
    client: Client,
    reach: NetworkPolicy,
    peers: Destinations,
}

impl EgressClient {
    /// One whose calls go as far as `reach`.
    pub fn new(reach: NetworkPolicy) -> Result<Self, Error> {
        let client = client()
            .dns_resolver(Resolver(reach))
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_max_idle_per_host(MAX_IDLE_CONNECTIONS)
            .user_agent(concat!("guardengine/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|fault| Error::Unreachable(fault.to_string()))?;
        Ok(Self { client, reach, peers: Destinations::default() })
    }

    /// How far calls may go.
    pub const fn network_policy(&self) -> NetworkPolicy {
        self.reach
    }

    /// Makes the call. An answer of 2xx is an [`Response`], everything else a [`Fault`]; it comes by the request's
    /// deadline.
    pub async fn send(&self, request: Request) -> Result<Response, Error> {
        let end = Instant::now() + request.deadline;
        let peer = self.peers.peer(request.peer);
        let place = timeout_at(end, peer.place()).await.map_err(|_| Error::Busy)??;
        let sent = self.tried(&request, &peer, end).await;
        drop(place);
        sent
    }

    /// What was known of a peer holds no more: it was changed.
    pub fn forget(&self, peer: uuid::Uuid) {
        self.peers.forget(peer);
    }

    async fn tried(&self, request: &Request, peer: &Destination, end: Instant) -> Result<Response, Error> {
        let tries = if request.repeatable { MAX_ATTEMPTS } else { 1 };
        let asked = peer.check_circuit();
        if !request.probe {
            asked?;
        }
        for next in 1..=tries {
            let left = end.saturating_duration_since(Instant::now());
            let once = timeout(left, self.once(request)).await;
            let outcome = once.unwrap_or(Err(Error::TimedOut(request.deadline)));
            peer.record_outcome(&outcome);
            match outcome {
                Err(fault) if fault.is_transient() && next < tries => {
                    let wait = delay_before(next, &fault);
                    if Instant::now() + wait >= end {
                        return Err(fault);
                    }
                    sleep(wait).await;
                }
                settled => return settled,
            }
        }
        Err(Error::TimedOut(request.deadline))
    }

    async fn once(&self, request: &Request) -> Result<Response, Error> {
        let mut url = self.reach.url(&request.url)?;
        for _ in 0..=MAX_REDIRECTS {
            let response = self.sent(request, url.clone()).await?;
            match elsewhere(&response, &url)? {
                // A redirected call goes on unchanged, or not at all: other methods than GET only where the status says so.
                Some(next) if keeps_method(&response) || request.method.is_safe() => {
                    url = self.reach.url(next.as_str())?;
                }
                _ => return read(response, request.largest).await,
            }
        }
        Err(Error::Unreachable("it redirects too often".to_owned()))
    }

    async fn sent(&self, request: &Request, url: Url) -> Result<reqwest::Response, Error> {
        let mut sent = self.client.request(request.method.clone(), url);
        for (name, value) in request.header_pairs().ok_or(Blocked::Header)? {
            sent = sent.header(name, value);
        }
        sent.body(request.body.clone()).send().await.map_err(|fault| unreachable(&fault))
    }
}

/// Where a redirect leads, within the origin that was asked.
fn elsewhere(response: &reqwest::Response, asked: &Url) -> Result<Option<Url>, Blocked> {
    let location = response.headers().get(LOCATION).filter(|_| response.status().is_redirection());
    let Some(location) = location else { return Ok(None) };
    let next = location.to_str().ok().and_then(|location| asked.join(location).ok());
    next.filter(|next| next.origin() == asked.origin()).map(Some).ok_or(Blocked::Redirect)
}

fn keeps_method(response: &reqwest::Response) -> bool {
    matches!(response.status().as_u16(), 307 | 308)
}

async fn read(mut response: reqwest::Response, largest: usize) -> Result<Response, Error> {
    let (status, headers) = (response.status(), response.headers().clone());
    let mut body = Vec::new();
    while let Some(more) = response.chunk().await.map_err(|fault| unreachable(&fault))? {
        body.extend_from_slice(&more);
        if body.len() > largest {
            return Err(Error::TooLarge(largest));
        }
    }
    let answer = Response { status: status.as_u16(), headers, body };
    if status.is_success() { Ok(answer) } else { Err(Error::Status(Box::new(answer))) }
}

/// The innermost cause, which speaks of names and sockets; reqwest's own words hold the address.
fn unreachable(fault: &reqwest::Error) -> Error {
    if let Some(refusal) = refusal(fault) {
        return refusal.into();
    }
    if fault.is_timeout() {
        return Error::Unreachable("no connection in time".to_owned());
    }
    let causes = std::iter::successors(fault.source(), |fault| (*fault).source());
    Error::Unreachable(causes.last().map_or_else(|| "the connection broke".to_owned(), ToString::to_string))
}
