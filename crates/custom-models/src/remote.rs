//! Remote classifiers with the `/predict` API of text-embeddings-inference.

use std::time::Duration;

use futures::future::try_join_all;
use guardengine_classifiers::Unavailable;
use guardengine_egress::client;
use reqwest::{Client, Url};
use serde::Deserialize;
use serde_json::json;
use tokio::{runtime::Handle, time::timeout};

use crate::{Error, LabelProbabilities, Labels, Model};

/// Accepted response size in bytes.
const MAX_RESPONSE_BYTES: usize = 64 << 10;
/// Bytes of a text that the server is assumed to read completely; its model may be limited to 512 tokens.
const MAX_TEXT_BYTES: usize = 640;

/// Address and settings of a remote classifier.
#[derive(Clone)]
pub struct RemoteEndpoint {
    /// URL that texts are posted to.
    pub url: Url,
    /// Bearer token, if the server requires one.
    pub token: Option<String>,
    /// Time allowed for all texts of a request together.
    pub timeout: Duration,
}

/// A classifier that a server runs.
pub struct RemoteModel {
    endpoint: RemoteEndpoint,
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

/// Response for one text: its label scores, flat or nested in an array of one element.
#[derive(Deserialize)]
#[serde(untagged)]
enum Prediction {
    Flat(Vec<LabelScore>),
    Nested([Vec<LabelScore>; 1]),
}

impl RemoteModel {
    /// Creates the model without contacting the server. Calls run on `runtime`.
    pub fn new(endpoint: RemoteEndpoint, labels: Labels, runtime: Handle) -> Result<Self, Error> {
        let client = client().build().map_err(|error| Error::Client(error.to_string()))?;
        let version = format!("remote:{}", endpoint.url.host_str().unwrap_or_default());
        Ok(Self { endpoint, client, runtime, labels, version })
    }

    async fn predict(&self, text: &str) -> Result<LabelProbabilities, Unavailable> {
        let failed = |error: reqwest::Error| unavailable(&format!("{}", error.without_url()));
        let mut request = self.client.post(self.endpoint.url.clone());
        if let Some(token) = &self.endpoint.token {
            request = request.bearer_auth(token);
        }
        let body = json!({ "inputs": text, "truncate": true });
        let mut response = request.json(&body).send().await.map_err(failed)?;
        if response.status() != reqwest::StatusCode::OK {
            return Err(unavailable(&format!("responded with status {}", response.status().as_u16())));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > MAX_RESPONSE_BYTES {
                return Err(unavailable("the response is too large"));
            }
        }
        self.parse(&bytes)
    }

    fn parse(&self, body: &[u8]) -> Result<LabelProbabilities, Unavailable> {
        let prediction = serde_json::from_slice(body);
        let (Prediction::Flat(scores) | Prediction::Nested([scores])) =
            prediction.map_err(|_| unavailable("expected a list of labels and scores in the response"))?;
        let probability = |label: &str| {
            let score = scores.iter().find(|one| one.label == label)?.score;
            (0.0..=1.0).contains(&score).then_some(score)
        };
        let probabilities = self.labels.probabilities(probability, f32::max);
        probabilities
            .ok_or_else(|| unavailable("expected a probability for every mapped label in the response"))
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

    /// Blocks until the server has responded. Must be called where blocking is allowed, as in `spawn_blocking`.
    fn classify(&self, texts: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable> {
        let predictions = try_join_all(texts.iter().map(|text| self.predict(text)));
        let timed_out = |_| unavailable("no response in time");
        self.runtime.block_on(async { timeout(self.endpoint.timeout, predictions).await.map_err(timed_out)? })
    }
}

fn unavailable(why: &str) -> Unavailable {
    Unavailable(format!("remote classifier: {why}").into())
}
