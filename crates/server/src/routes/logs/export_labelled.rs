//! Log entries with feedback as labelled texts for `guardengine eval`.

use guardengine_evaluation::{
    LabeledText,
    suite::{Expect, Negatives},
};
use guardengine_store::LogEntry;
use serde::Deserialize;

/// Suite name in `eval`.
const SUITE: &str = "marked";

#[derive(Deserialize)]
struct Triggered {
    name: String,
}

/// Returns the labelled text of an entry; `None` without feedback or text.
pub fn labelled(log: &LogEntry) -> Option<LabeledText> {
    let text = log.text.clone()?;
    let (expect, absent) = match log.feedback.as_deref()? {
        "false_positive" => (Expect::Pass, triggered(log)),
        // It is unknown which guardrail should have triggered.
        "missed_attack" => (Expect::Flag, Vec::new()),
        _ => return None,
    };
    Some(LabeledText {
        text,
        negatives: Negatives::Listed(absent),
        lang: log.lang_code.clone().unwrap_or_default(),
        role: if log.direction == "output" { "model" } else { "user" }.to_owned(),
        suite: SUITE.to_owned(),
        source: format!("log {}", log.id),
        expect: Some(expect),
        ..LabeledText::default()
    })
}

/// Returns the guardrails that triggered.
fn triggered(log: &LogEntry) -> Vec<String> {
    let listed: Vec<Triggered> = serde_json::from_str(&log.triggered_guardrails).unwrap_or_default();
    listed.into_iter().map(|one| one.name).collect()
}
