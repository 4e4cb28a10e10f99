//! The answer to a hook.

use guardengine_engine::policy::Outcome;
use guardengine_guard::{evaluate::Evaluation, submission::Submission};
use serde_json::{Value, json};

use super::{
    super::{conversation::Place, json_texts::replace_texts},
    Agent,
    event::Event,
};

const NO_REASON: &str = "blocked by the guardrail policy";
/// Stands for each text of a result that the model must not read.
const REMOVED: &str = "[removed by the guardrail policy]";
/// Reason where only masked text may pass, and the agent cannot change it.
const NOT_MASKABLE: &str = "it contains personal data that the guardrail policy masks: remove it";

/// An evaluated event.
pub struct Evaluated<'a> {
    pub submission: &'a Submission,
    pub places: &'a [Place],
    pub evaluation: &'a Evaluation,
}

impl Evaluated<'_> {
    /// Returns the value with its texts masked.
    fn masked(&self, value: &Value) -> Value {
        let mut masked = value.clone();
        let shown = |place: &Place| {
            place.masked(self.evaluation).unwrap_or_else(|| place.text(self.submission)).to_owned()
        };
        replace_texts(&mut masked, &mut self.places.iter().map(shown));
        masked
    }

    fn reason(&self) -> &str {
        self.evaluation.verdict.reason.as_deref().unwrap_or(NO_REASON)
    }
}

/// Returns the answer about an event.
pub fn answer(agent: Agent, event: &Event, evaluated: &Evaluated<'_>) -> Value {
    match evaluated.evaluation.verdict.outcome {
        Outcome::Allow => json!({}),
        Outcome::Mask => masked(agent, event, evaluated),
        Outcome::Challenge | Outcome::Escalate | Outcome::Block => blocked(agent, event, evaluated.reason()),
    }
}

fn masked(agent: Agent, event: &Event, evaluated: &Evaluated<'_>) -> Value {
    let value = match event {
        Event::ToolCall(value) | Event::ToolResult(value) => value,
        Event::Prompt(_) | Event::Other => return blocked(agent, event, NOT_MASKABLE),
    };
    let changed = evaluated.masked(value);
    match (agent, event) {
        _ if changed == *value => json!({}),
        (Agent::ClaudeCode, Event::ToolCall(_)) => json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "updatedInput": changed,
        } }),
        (Agent::ClaudeCode, _) => json!({ "hookSpecificOutput": {
            "hookEventName": "PostToolUse", "updatedToolOutput": changed,
        } }),
        (Agent::Codex, Event::ToolCall(_)) => blocked(agent, event, NOT_MASKABLE),
        // The reason takes the place of the result.
        (Agent::Codex, _) => json!({ "decision": "block", "reason": changed.to_string() }),
    }
}

fn blocked(agent: Agent, event: &Event, reason: &str) -> Value {
    match (agent, event) {
        (_, Event::ToolCall(_)) => json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason,
        } }),
        (Agent::ClaudeCode, Event::ToolResult(output)) => {
            let mut removed = output.clone();
            replace_texts(&mut removed, &mut std::iter::repeat_with(|| REMOVED.to_owned()));
            json!({ "decision": "block", "reason": reason, "hookSpecificOutput": {
                "hookEventName": "PostToolUse", "updatedToolOutput": removed,
            } })
        }
        _ => json!({ "decision": "block", "reason": reason }),
    }
}
