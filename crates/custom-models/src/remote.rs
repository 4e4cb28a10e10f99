//! A classifier behind a URL, which answers as text-embeddings-inference does at `/predict`.

use std::time::Duration;

use futures::future::try_join_all;
use guardengine_classifiers::Unavailable;
use guardengine_egress::client;
use reqwest::{Client, Url};
use serde::Deserialize;
use serde_json::json;
use tokio::{runtime::Handle, time::timeout};

use crate::{Error, LabelProbabilities, Labels, Model};

/// Bytes of an answer at most.
const MAX_RESPONSE: usize = 64 << 10;
/// Bytes of a text that a server is sent as a whole; it may read no more than 512 pieces.
const MAX_TEXT_BYTES: usize = 640;

/// Where a classifier is, and how it is asked.
#[derive(Clone)]
pub struct RemoteEndpoint {
    /// What texts are posted to.
    pub url: Url,
    /// The bearer token, where it wants one.
    pub token: Option<String>,
    /// How long all stretches of a request may take together.
    pub timeout: Duration,
}

/// A classifier behind a URL.
pub struct RemoteModel {
    service: RemoteEndpoint,
    client: Client,
    runtime: Handle,
    labels: Labels,
    version: String,
}

#[derive(Deserialize)]
struct LabelScore {
    label: String,
    score: f32,
}

/// For one text: what is said of each label, or that for each text of one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Flat(Vec<LabelScore>),
    Nested([Vec<LabelScore>; 1]),
}

impl RemoteModel {
    /// The classifier of `service`, asked on `runtime`. Nothing is asked yet.
    pub fn new(service: RemoteEndpoint, labels: Labels, runtime: Handle) -> Result<Self, Error> {
        let client = client().build().map_err(|fault| Error::Client(fault.to_string()))?;
        let version = format!("remote:{}", service.url.host_str().unwrap_or_default());
        Ok(Self { service, client, runtime, labels, version })
    }

    async fn ask(&self, stretch: &str) -> Result<LabelProbabilities, Unavailable> {
        let failed = |fault: reqwest::Error| unavailable(&format!("{}", fault.without_url()));
        let mut request = self.client.post(self.service.url.clone());
        if let Some(token) = &self.service.token {
            request = request.bearer_auth(token);
        }
        let body = json!({ "inputs": stretch, "truncate": true });
        let mut answer = request.json(&body).send().await.map_err(failed)?;
        if answer.status() != reqwest::StatusCode::OK {
            return Err(unavailable(&format!("it answered {}", answer.status().as_u16())));
        }
        let mut bytes = Vec::new();
        while let Some(more) = answer.chunk().await.map_err(failed)? {
            bytes.extend_from_slice(&more);
            if bytes.len() > MAX_RESPONSE {
                return Err(unavailable("its answer is too long"));
            }
        }
        self.opinion(&bytes)
    }

    fn opinion(&self, answer: &[u8]) -> Result<LabelProbabilities, Unavailable> {
        let answer = serde_json::from_slice(answer);
        let (Answer::Flat(said) | Answer::Nested([said])) =
            answer.map_err(|_| unavailable("its answer is no list of labels and scores"))?;
        let of = |label: &str| said.iter().find(|one| one.label == label);
        let probability = |label: &str| {
            let score = of(label)?.score;
            (0.0..=1.0).contains(&score).then_some(score)
        };
        let opinion = self.labels.probabilities(probability, f32::max);
        opinion.ok_or_else(|| unavailable("its answer lacks a probability of a label that is mapped"))
    }
}

impl Model for RemoteModel {
    fn version(&self) -> &str {
        &self.version
    }

    fn labels(&self) -> &Labels {
        &self.labels
    }

    fn fits(&self, text: &str) -> bool {
        text.len() <= MAX_TEXT_BYTES
    }

    /// Must be called where waiting is allowed, as in `spawn_blocking`.
    fn classify(&self, stretches: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable> {
        let asked = try_join_all(stretches.iter().map(|stretch| self.ask(stretch)));
        let late = |_| unavailable("it did not answer in time");
        self.runtime.block_on(async { timeout(self.service.timeout, asked).await.map_err(late)? })
    }
}

fn unavailable(why: &str) -> Unavailable {
    Unavailable(format!("the remote classifier: {why}").into())
}
