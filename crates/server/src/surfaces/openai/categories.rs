//! OpenAI's categories of moderation, from the scores of guardrails.

use guardengine_engine::{Verdict, policy::verdict::GuardrailScore};
use serde_json::{Map, Value, json};

/// A category, and the guardrails that all have to score for it. Without any, it is never flagged: guardrails do not
/// distinguish it from its parent.
type Category = (&'static str, &'static [&'static str]);

/// Every category, in OpenAI's order.
const CATEGORIES: [Category; 13] = [
    ("harassment", &["toxicity"]),
    ("harassment/threatening", &["toxicity", "violence"]),
    ("hate", &["hate_speech"]),
    ("hate/threatening", &["hate_speech", "violence"]),
    ("illicit", &["illicit"]),
    ("illicit/violent", &["illicit", "violence"]),
    ("self-harm", &["self_harm"]),
    ("self-harm/intent", &[]),
    ("self-harm/instructions", &[]),
    ("sexual", &["nsfw"]),
    ("sexual/minors", &[]),
    ("violence", &["violence"]),
    ("violence/graphic", &[]),
];

/// The three objects of a result that have a field for each category.
pub struct Categories {
    /// True for each flagged category.
    pub flagged: Value,
    /// The score of each category.
    pub scores: Value,
    /// Types of the input behind each score; empty for a category that is not scored.
    pub inputs: Value,
}

impl Categories {
    /// Returns the categories of a verdict. `inputs` are the types of what was evaluated.
    pub fn of(verdict: &Verdict, inputs: &[&str]) -> Self {
        let (mut flagged, mut scores, mut applied) = (Map::new(), Map::new(), Map::new());
        for (name, guardrails) in CATEGORIES {
            let found: Vec<_> = guardrails.iter().filter_map(|guardrail| score(verdict, guardrail)).collect();
            let is_scored = !guardrails.is_empty() && found.len() == guardrails.len();
            let lowest = found.iter().map(|score| score.confidence).fold(1.0, f32::min);
            let is_flagged = is_scored && found.iter().all(|score| score.is_triggered());
            flagged.insert(name.to_owned(), json!(is_flagged));
            scores.insert(
                name.to_owned(),
                json!(if is_scored { guardengine_api_types::rounded(lowest) } else { 0.0 }),
            );
            applied.insert(name.to_owned(), if is_scored { json!(inputs) } else { json!([]) });
        }
        Self { flagged: flagged.into(), scores: scores.into(), inputs: applied.into() }
    }
}

fn score<'v>(verdict: &'v Verdict, guardrail: &str) -> Option<&'v GuardrailScore> {
    verdict.scores.iter().find(|score| score.name == guardrail)
}
