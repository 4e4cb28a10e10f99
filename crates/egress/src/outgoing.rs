//! A call: checked, given a place, made within its deadline, repeated where that is safe.

use std::{error::Error, time::Duration};

use reqwest::{Client, Response, Url, header::LOCATION};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::{
    Answer, Fault, Reach, Refusal, Request,
    client::client,
    peers::{Peer, Peers},
    resolver::{Resolver, refusal},
    retries::{TRIES, wait},
};

/// Redirects that are followed.
const HOPS: usize = 3;
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);
/// Idle connections that are kept to a host.
const IDLE: usize = 4;

/// Where calls go out; cheap to clone.
#[derive(Clone, Debug)]
pub struct Outgoing {
    client: Client,
    reach: Reach,
    peers: Peers,
}

impl Outgoing {
    /// One whose calls go as far as `reach`.
    pub fn new(reach: Reach) -> Result<Self, Fault> {
        let client = client()
            .dns_resolver(Resolver(reach))
            .connect_timeout(CONNECT)
            .pool_max_idle_per_host(IDLE)
            .user_agent(concat!("guardengine/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|fault| Fault::Unreachable(fault.to_string()))?;
        Ok(Self { client, reach, peers: Peers::default() })
    }

    /// How far calls may go.
    pub const fn reach(&self) -> Reach {
        self.reach
    }

    /// Makes the call. An answer of 2xx is an [`Answer`], everything else a [`Fault`]; it comes by the request's
    /// deadline.
    pub async fn send(&self, request: Request) -> Result<Answer, Fault> {
        let end = Instant::now() + request.deadline;
        let peer = self.peers.peer(request.peer);
        let place = timeout_at(end, peer.place()).await.map_err(|_| Fault::Busy)??;
        let sent = self.tried(&request, &peer, end).await;
        drop(place);
        sent
    }

    /// What was known of a peer holds no more: it was changed.
    pub fn forget(&self, peer: uuid::Uuid) {
        self.peers.forget(peer);
    }

    async fn tried(&self, request: &Request, peer: &Peer, end: Instant) -> Result<Answer, Fault> {
        let tries = if request.repeatable { TRIES } else { 1 };
        let asked = peer.ask();
        if !request.probe {
            asked?;
        }
        for next in 1..=tries {
            let left = end.saturating_duration_since(Instant::now());
            let once = timeout(left, self.once(request)).await;
            let outcome = once.unwrap_or(Err(Fault::TimedOut(request.deadline)));
            peer.learn(&outcome);
            match outcome {
                Err(fault) if fault.is_passing() && next < tries => {
                    let wait = wait(next, &fault);
                    if Instant::now() + wait >= end {
                        return Err(fault);
                    }
                    sleep(wait).await;
                }
                settled => return settled,
            }
        }
        Err(Fault::TimedOut(request.deadline))
    }

    async fn once(&self, request: &Request) -> Result<Answer, Fault> {
        let mut url = self.reach.url(&request.url)?;
        for _ in 0..=HOPS {
            let response = self.sent(request, url.clone()).await?;
            match elsewhere(&response, &url)? {
                // A redirected call goes on unchanged, or not at all: other methods than GET only where the status says so.
                Some(next) if keeps_method(&response) || request.method.is_safe() => {
                    url = self.reach.url(next.as_str())?;
                }
                _ => return read(response, request.largest).await,
            }
        }
        Err(Fault::Unreachable("it redirects too often".to_owned()))
    }

    async fn sent(&self, request: &Request, url: Url) -> Result<Response, Fault> {
        let mut sent = self.client.request(request.method.clone(), url);
        for (name, value) in request.header_pairs().ok_or(Refusal::Header)? {
            sent = sent.header(name, value);
        }
        sent.body(request.body.clone()).send().await.map_err(|fault| unreachable(&fault))
    }
}

/// Where a redirect leads, within the origin that was asked.
fn elsewhere(response: &Response, asked: &Url) -> Result<Option<Url>, Refusal> {
    let location = response.headers().get(LOCATION).filter(|_| response.status().is_redirection());
    let Some(location) = location else { return Ok(None) };
    let next = location.to_str().ok().and_then(|location| asked.join(location).ok());
    next.filter(|next| next.origin() == asked.origin()).map(Some).ok_or(Refusal::Redirect)
}

fn keeps_method(response: &Response) -> bool {
    matches!(response.status().as_u16(), 307 | 308)
}

async fn read(mut response: Response, largest: usize) -> Result<Answer, Fault> {
    let (status, headers) = (response.status(), response.headers().clone());
    let mut body = Vec::new();
    while let Some(more) = response.chunk().await.map_err(|fault| unreachable(&fault))? {
        body.extend_from_slice(&more);
        if body.len() > largest {
            return Err(Fault::TooLarge(largest));
        }
    }
    let answer = Answer { status: status.as_u16(), headers, body };
    if status.is_success() { Ok(answer) } else { Err(Fault::Status(Box::new(answer))) }
}

/// The innermost cause, which speaks of names and sockets; reqwest's own words hold the address.
fn unreachable(fault: &reqwest::Error) -> Fault {
    if let Some(refusal) = refusal(fault) {
        return refusal.into();
    }
    if fault.is_timeout() {
        return Fault::Unreachable("no connection in time".to_owned());
    }
    let causes = std::iter::successors(fault.source(), |fault| (*fault).source());
    Fault::Unreachable(causes.last().map_or_else(|| "the connection broke".to_owned(), ToString::to_string))
}
