//! Table of ticket variables. Their names are the placeholders of templates and the fields of webhook messages.

use guardengine_engine::policy::{TriggeredGuardrail, risk};
use guardengine_store::LogEntry;

/// Maximum number of characters of a value.
const MAX_VALUE_CHARS: usize = 500;

/// A variable with its wire name and its human-readable label.
pub struct Variable {
    pub name: &'static str,
    pub label: &'static str,
    of: fn(&LogEntry, &TriggeredGuardrail) -> Option<String>,
}

const fn variable(
    name: &'static str,
    label: &'static str,
    of: fn(&LogEntry, &TriggeredGuardrail) -> Option<String>,
) -> Variable {
    Variable { name, label, of }
}

/// All variables, in the order in which tickets list them. The evaluated text is not a variable: titles and fields reach
/// more people than a ticket's text.
pub static VARIABLES: [Variable; 18] = [
    variable("guardrail", "Guardrail", |_, triggered| Some(triggered.name.to_owned())),
    variable("confidence", "Confidence", |_, triggered| Some(format!("{:.2}", triggered.confidence))),
    variable("severity", "Severity", |_, triggered| Some(risk::severity(triggered.confidence).to_owned())),
    variable("evidence", "Evidence", |_, triggered| Some(triggered.evidence.join(", "))),
    variable("action", "Action", |_, triggered| Some(triggered.outcome.name().to_owned())),
    variable("decision", "Decision", |log, _| Some(log.decision.clone())),
    variable("risk_level", "Risk", |log, _| Some(log.risk_level.clone())),
    variable("reason", "Reason", |log, _| log.reason.clone()),
    variable("username", "End user", |log, _| log.username.clone()),
    variable("projectName", "Project", |log, _| log.project_name.clone()),
    variable("source_app", "Application", |log, _| log.source_app.clone()),
    variable("device_id", "Device", |log, _| log.device_id.clone()),
    variable("conversation_id", "Conversation", |log, _| log.conversation_id.clone()),
    variable("principal", "Principal", |log, _| Some(log.principal.clone())),
    variable("endpoint", "Endpoint", |log, _| Some(log.endpoint.clone())),
    variable("created_at", "Time", |log, _| Some(log.created_at.to_string())),
    variable("log_id", "Log entry", |log, _| Some(log.id.to_string())),
    variable("correlation_id", "Correlation id", |log, _| Some(log.correlation_id.clone())),
];

impl Variable {
    /// Returns the value in one line, or `None` if it is empty.
    pub fn value(&self, log: &LogEntry, triggered: &TriggeredGuardrail) -> Option<String> {
        let value = line(&(self.of)(log, triggered)?, MAX_VALUE_CHARS);
        Some(value).filter(|value| !value.is_empty())
    }
}

/// Returns the variable with this name.
pub fn named(name: &str) -> Option<&'static Variable> {
    VARIABLES.iter().find(|variable| variable.name == name)
}

/// Joins `text` into one line of at most `max` characters.
pub fn line(text: &str, max: usize) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    cut(&words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "), max)
}

/// Truncates `text` to `max` characters, with an ellipsis at the end.
pub fn cut(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_and_truncates_lines() {
        assert_eq!(line(" a\n\tb\0c ", 9), "a b c");
        assert_eq!(line("abcdef", 4), "abc…");
        assert_eq!(cut("äöü", 3), "äöü");
    }

    #[test]
    fn variable_names_are_unique() {
        for variable in &VARIABLES {
            assert_eq!(
                VARIABLES.iter().filter(|other| other.name == variable.name).count(),
                1,
                "{}",
                variable.name
            );
        }
    }
}
