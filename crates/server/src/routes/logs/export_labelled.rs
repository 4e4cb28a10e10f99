//! Marked rows as labelled texts, which `guardengine eval` reads.

use guardengine_evaluation::{
    Row,
    row::{Expect, Negatives},
};
use guardengine_store::Log;
use serde::Deserialize;

/// What `eval` calls them together.
const SUITE: &str = "marked";

#[derive(Deserialize)]
struct Triggered {
    name: String,
}

/// The labelled text of a row; `None` without a mark, or without a text.
pub fn labelled(log: &Log) -> Option<Row> {
    let text = log.text.clone()?;
    let (expect, absent) = match log.mark.as_deref()? {
        "false_positive" => (Expect::Pass, triggered(log)),
        // What should have triggered is not known, only that something should.
        "missed_attack" => (Expect::Flag, Vec::new()),
        _ => return None,
    };
    Some(Row {
        text,
        negatives: Negatives::Listed(absent),
        lang: log.lang_code.clone().unwrap_or_default(),
        role: if log.direction == "output" { "model" } else { "user" }.to_owned(),
        suite: SUITE.to_owned(),
        source: format!("log {}", log.id),
        expect: Some(expect),
        ..Row::default()
    })
}

/// The guardrails that triggered, wrongly.
fn triggered(log: &Log) -> Vec<String> {
    let listed: Vec<Triggered> = serde_json::from_str(&log.triggered_guardrails).unwrap_or_default();
    listed.into_iter().map(|one| one.name).collect()
}
