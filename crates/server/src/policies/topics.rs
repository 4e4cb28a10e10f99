//! Adds to the topics of policies that are shown what is computed of them.

use std::time::{Duration, Instant};

use guardengine_engine::policy::{CompiledPolicy, document};
use guardengine_guard::Guard;
use guardengine_store::Policy;
use serde_json::Value;

/// Setting that holds topics.
const TOPICS: &str = "topics";
/// Share of harmless texts that a topic is expected to flag.
const EXPECTED: &str = "expected_false_positives";

/// Longest time in which the policies of one response are compiled. Those that are left get their numbers when they are
/// asked for next.
const LONGEST: Duration = Duration::from_secs(5);

/// Compiles the policies of one response.
pub struct ShownTopics<'g> {
    guard: &'g Guard,
    began: Instant,
}

impl<'g> ShownTopics<'g> {
    /// Starts the time of a response.
    pub fn new(guard: &'g Guard) -> Self {
        Self { guard, began: Instant::now() }
    }

    /// Adds the expected false positives to the topics of a stored policy. A policy that cannot be compiled is shown without
    /// them.
    pub async fn add(&self, stored: &Policy, written: &mut document::Policy) {
        if !has_topics(written) || self.began.elapsed() > LONGEST {
            return;
        }
        match self.guard.compiled(stored).await {
            Ok(compiled) => add(&compiled, written),
            Err(error) => tracing::warn!(policy = %stored.id, %error, "could not fit the topics of a policy"),
        }
    }
}

fn has_topics(written: &document::Policy) -> bool {
    let mut enabled = written.guardrails.iter().filter(|item| item.enabled);
    enabled.any(|item| !item.settings.records(TOPICS).is_empty())
}

fn add(compiled: &CompiledPolicy, written: &mut document::Policy) {
    for item in written.guardrails.iter_mut().filter(|item| item.enabled) {
        let mut topics = item.settings.records(TOPICS).to_vec();
        for topic in &mut topics {
            let name = topic["name"].as_str().unwrap_or_default();
            let expected = compiled.expected_false_positives().find(|(known, _)| *known == name);
            if let Some((_, share)) = expected {
                topic[EXPECTED] = rounded(share);
            }
        }
        if !topics.is_empty() {
            item.settings.set(TOPICS, topics);
        }
    }
}

/// Returns a share with four decimals, as numbers of 32 bits have too many.
fn rounded(share: f32) -> Value {
    ((f64::from(share) * 10_000.0).round() / 10_000.0).into()
}
