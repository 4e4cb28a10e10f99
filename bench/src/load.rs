//! Load generator: sends requests as fast as a number of connections allows.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use reqwest::{Client, Response};
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// Destination of a request.
#[derive(Clone)]
pub struct Target {
    /// Full address.
    pub url: String,
    /// API key; empty for none.
    pub key: String,
}

/// Body of a request.
#[derive(Clone)]
pub enum Body {
    /// No body: the request is a GET.
    Nothing,
    /// The same body each time.
    Same(Value),
    /// A new prompt of this many bytes each time.
    New(usize),
}

impl Body {
    /// Returns a body with the same prompt of this many bytes each time.
    pub fn same(bytes: usize) -> Self {
        Self::Same(asked(&prompt(bytes)))
    }

    fn next(&self) -> Option<Value> {
        static SENT: AtomicU64 = AtomicU64::new(0);
        match self {
            Self::Nothing => None,
            Self::Same(body) => Some(body.clone()),
            Self::New(bytes) => Some(asked(&new_prompt(*bytes, SENT.fetch_add(1, Ordering::Relaxed)))),
        }
    }
}

fn asked(prompt: &str) -> Value {
    json!({ "prompt": prompt, "source_app": "bench" })
}

/// Result of one measurement.
#[derive(Default)]
pub struct Measured {
    latencies: Vec<Duration>,
    elapsed: Duration,
    /// Number of responses, including those of the warm-up.
    pub acknowledged: u64,
    /// Size of the responses with their headers, in bytes.
    pub bytes: u64,
}

impl Measured {
    /// Returns the responses per second.
    pub fn per_second(&self) -> f64 {
        self.latencies.len() as f64 / self.elapsed.as_secs_f64()
    }

    /// Returns the latency that this share of the responses did not exceed.
    pub fn percentile(&self, share: f64) -> Duration {
        let last = self.latencies.len() - 1;
        self.latencies[(last as f64 * share).round() as usize]
    }

    fn add(&mut self, other: Self) {
        self.latencies.extend(other.latencies);
        self.acknowledged += other.acknowledged;
        self.bytes += other.bytes;
    }
}

/// Loads `targets` in turn over `connections` connections to each, as many requests at a time. The first half second is
/// a warm-up and is not timed.
pub async fn measure(
    targets: &[Target],
    body: &Body,
    connections: usize,
    duration: Duration,
) -> Result<Measured> {
    let mut tasks = JoinSet::new();
    let start = Instant::now() + Duration::from_millis(500);
    for first in 0..connections {
        let turn: Vec<_> =
            (0..targets.len()).map(|at| targets[(first + at) % targets.len()].clone()).collect();
        tasks.spawn(ask(turn, body.clone(), start, duration));
    }
    let mut measured = Measured::default();
    while let Some(one) = tasks.join_next().await {
        measured.add(one??);
    }
    ensure!(!measured.latencies.is_empty(), "no answer in time");
    measured.latencies.sort_unstable();
    Ok(Measured { elapsed: start.elapsed(), ..measured })
}

async fn ask(targets: Vec<Target>, body: Body, start: Instant, duration: Duration) -> Result<Measured> {
    let client = Client::builder().pool_max_idle_per_host(1).build()?;
    let mut measured = Measured::default();
    for target in targets.iter().cycle() {
        let sent = Instant::now();
        if sent >= start + duration {
            break;
        }
        let request = match body.next() {
            Some(body) => client.post(&target.url).json(&body),
            None => client.get(&target.url),
        };
        let answer = request.header("x-api-key", &target.key).send().await?;
        ensure!(answer.status().is_success(), "{} answered {}", target.url, answer.status());
        measured.bytes += head(&answer) + answer.bytes().await?.len() as u64;
        measured.acknowledged += 1;
        if sent >= start {
            measured.latencies.push(sent.elapsed());
        }
    }
    Ok(measured)
}

/// Returns the size of the status line and the headers in HTTP/1.1.
fn head(answer: &Response) -> u64 {
    let headers = answer.headers().iter();
    let headers: usize =
        headers.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len()).sum();
    (headers + "HTTP/1.1 200 OK\r\n\r\n".len()) as u64
}

const SENTENCES: [&str; 4] = [
    "Our team moves the quarterly report to a new template this week. ",
    "Could you summarise the three main points for colleagues who missed the meeting? ",
    "The second table compares last year's figures with the plan, and the notes explain the gap. ",
    "Please keep the tone friendly and the whole text under two pages. ",
];

/// Returns harmless English of about `bytes` bytes.
pub fn prompt(bytes: usize) -> String {
    cut(SENTENCES.iter().cycle().map(|sentence| (*sentence).to_owned()), bytes)
}

/// Returns the same with the number in words after each sentence, so that every window is new.
pub fn new_prompt(bytes: usize, number: u64) -> String {
    let name = name(number);
    cut(SENTENCES.iter().cycle().map(|sentence| format!("{sentence}The folder is called {name}. ")), bytes)
}

fn cut(sentences: impl Iterator<Item = String>, bytes: usize) -> String {
    let mut text = String::new();
    for sentence in sentences {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&sentence);
    }
    text.truncate(bytes);
    text
}

/// Returns `number` in words, one for each four bits.
fn name(number: u64) -> String {
    const WORDS: [&str; 16] = [
        "maple", "river", "stone", "cloud", "garden", "window", "silver", "forest", "letter", "bridge",
        "candle", "harbour", "meadow", "orange", "pencil", "summer",
    ];
    let digits = (0..5).map(|place| WORDS[(number >> (4 * place)) as usize & 15]);
    digits.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_have_the_requested_size_and_new_ones_differ() {
        assert_eq!(prompt(1_000).len(), 1_000);
        let (one, other) = (new_prompt(1_000, 1), new_prompt(1_000, 2));
        assert_eq!((one.len(), other.len()), (1_000, 1_000));
        assert_ne!(one[..200], other[..200]);
    }
}
