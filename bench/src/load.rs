//! Requests as fast as a number of connections can carry them.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use reqwest::{Client, Response};
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// Where a request goes.
#[derive(Clone)]
pub struct Target {
    /// Full address.
    pub url: String,
    /// API key; empty for none.
    pub key: String,
}

/// What is sent.
#[derive(Clone)]
pub enum Body {
    /// Nothing: the target is read.
    Nothing,
    /// The same each time.
    Same(Value),
    /// A prompt of so many bytes that nobody has sent before.
    New(usize),
}

impl Body {
    /// The same prompt of so many bytes each time.
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

/// What one measurement found.
#[derive(Default)]
pub struct Measured {
    latencies: Vec<Duration>,
    elapsed: Duration,
    /// Answers, those of warming up too.
    pub acknowledged: u64,
    /// Bytes of them with their headers.
    pub bytes: u64,
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

    fn add(&mut self, other: Self) {
        self.latencies.extend(other.latencies);
        self.acknowledged += other.acknowledged;
        self.bytes += other.bytes;
    }
}

/// Loads `targets` in turn over `connections` connections to each, as many requests at a time; half a second of warming up is not timed.
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

/// Bytes of the status line and the headers as HTTP/1.1 writes them.
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

/// Harmless English of about `bytes` bytes.
pub fn prompt(bytes: usize) -> String {
    cut(SENTENCES.iter().cycle().map(|sentence| (*sentence).to_owned()), bytes)
}

/// The same with the number in words after each sentence, so that no window of it was read before.
fn new_prompt(bytes: usize, number: u64) -> String {
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

/// A word for each four bits.
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
    fn prompts_have_the_bytes_that_were_asked_for_and_new_ones_differ() {
        assert_eq!(prompt(1_000).len(), 1_000);
        let (one, other) = (new_prompt(1_000, 1), new_prompt(1_000, 2));
        assert_eq!((one.len(), other.len()), (1_000, 1_000));
        assert_ne!(one[..200], other[..200]);
    }
}
