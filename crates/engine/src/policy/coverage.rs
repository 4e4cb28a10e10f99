//! Coverage of a request, and the rule for requests that were not read completely.

use super::{CompiledPolicy, Outcome, TriggeredGuardrail, risk};
use crate::{evidence::Evidence, text::Coverage};

/// Name of the rule in decisions.
const RULE: &str = "incomplete_coverage";

/// Returns what was read: the evaluated parts, and the turns that were evaluated with an earlier request.
pub(super) fn coverage(evidence: &Evidence<'_>) -> Coverage {
    let known = evidence.known_characters;
    let mut sum = Coverage { characters_scanned: known, characters_total: known, ..Coverage::default() };
    for (_, part) in evidence.evaluated() {
        sum.add(&part.text.coverage());
    }
    // Joined turns may hold a payload that none of them holds alone.
    sum.unread = evidence.unread;
    sum.complete = !evidence.has_unread
        && evidence.unread == 0
        && evidence.parts.iter().all(|part| part.text.is_complete());
    sum
}

/// Returns the rule if it triggers.
pub(super) fn rule(policy: &CompiledPolicy, coverage: &Coverage) -> Option<TriggeredGuardrail> {
    let outcome = policy.incomplete_coverage;
    (!coverage.complete && outcome != Outcome::Allow).then(|| TriggeredGuardrail {
        name: RULE,
        confidence: risk::OVERLONG,
        outcome,
        spans: Vec::new(),
        evidence: vec!["not everything could be read".to_owned()],
    })
}
