//! Requests as fast as a number of connections can carry them.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use reqwest::Client;
use serde_json::Value;
use tokio::task::JoinSet;

/// Where a request goes.
#[derive(Clone)]
pub struct Target {
    /// Full address.
    pub url: String,
    /// API key; empty for none.
    pub key: String,
}

/// What one measurement found.
pub struct Measured {
    latencies: Vec<Duration>,
    elapsed: Duration,
}

impl Measured {
    /// Answers in a second.
    pub fn per_second(&self) -> f64 {
        self.latencies.len() as f64 / self.elapsed.as_secs_f64()
    }

    /// The latency below which that share of the answers came.
    pub fn percentile(&self, share: f64) -> Duration {
        let last = self.latencies.len() - 1;
        self.latencies[(last as f64 * share).round() as usize]
    }
}

/// Loads `target` with `body`, or with reads where there is none, over `connections` connections; half a second of warming up is not counted.
pub async fn measure(
    target: &Target,
    body: Option<&Value>,
    connections: usize,
    duration: Duration,
) -> Result<Measured> {
    let mut tasks = JoinSet::new();
    let start = Instant::now() + Duration::from_millis(500);
    for _ in 0..connections {
        tasks.spawn(ask(target.clone(), body.cloned(), start, duration));
    }
    let mut latencies = Vec::new();
    while let Some(one) = tasks.join_next().await {
        latencies.extend(one??);
    }
    ensure!(!latencies.is_empty(), "no answer from {}", target.url);
    latencies.sort_unstable();
    Ok(Measured { latencies, elapsed: start.elapsed() })
}

async fn ask(
    target: Target,
    body: Option<Value>,
    start: Instant,
    duration: Duration,
) -> Result<Vec<Duration>> {
    let client = Client::builder().pool_max_idle_per_host(1).build()?;
    let mut latencies = Vec::new();
    loop {
        let sent = Instant::now();
        if sent >= start + duration {
            return Ok(latencies);
        }
        let request = match &body {
            Some(body) => client.post(&target.url).json(body),
            None => client.get(&target.url),
        };
        let answer = request.header("x-api-key", &target.key).send().await?;
        ensure!(answer.status().is_success(), "{} answered {}", target.url, answer.status());
        answer.bytes().await?;
        if sent >= start {
            latencies.push(sent.elapsed());
        }
    }
}

/// Harmless English of about `bytes` bytes.
pub fn prompt(bytes: usize) -> String {
    let sentences = [
        "Our team moves the quarterly report to a new template this week. ",
        "Could you summarise the three main points for colleagues who missed the meeting? ",
        "The second table compares last year's figures with the plan, and the notes explain the gap. ",
        "Please keep the tone friendly and the whole text under two pages. ",
    ];
    let mut text = sentences.iter().cycle().scan(0, |length, sentence| {
        *length += sentence.len();
        (*length <= bytes + 100).then_some(*sentence)
    });
    text.by_ref().collect::<String>().chars().take(bytes).collect()
}
