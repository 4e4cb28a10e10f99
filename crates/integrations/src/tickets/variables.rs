//! Table of ticket variables. Their names are the placeholders of templates and the fields of webhook messages.

use guardengine_api_types::BaseUrl;
use guardengine_engine::policy::{TriggeredGuardrail, risk};
use guardengine_store::LogEntry;

/// Maximum number of characters of a value.
const MAX_VALUE_CHARS: usize = 500;

/// A variable with its wire name and its human-readable label.
pub struct Variable {
    pub name: &'static str,
    pub label: &'static str,
    of: fn(&Incident<'_>) -> Option<String>,
}

/// The subject of a ticket.
#[derive(Clone, Copy)]
pub struct Incident<'a> {
    pub log: &'a LogEntry,
    pub triggered: &'a TriggeredGuardrail,
    /// Address of the service, for links.
    pub base_url: &'a BaseUrl,
}

const fn variable(
    name: &'static str,
    label: &'static str,
    of: fn(&Incident<'_>) -> Option<String>,
) -> Variable {
    Variable { name, label, of }
}

/// All variables, in the order in which tickets list them. The evaluated text is not a variable: titles and fields reach
/// more people than a ticket's text.
pub static VARIABLES: [Variable; 19] = [
    variable("guardrail", "Guardrail", |of| Some(of.triggered.name.to_owned())),
    variable("confidence", "Confidence", |of| Some(format!("{:.2}", of.triggered.confidence))),
    variable("severity", "Severity", |of| Some(risk::severity(of.triggered.confidence).to_owned())),
    variable("evidence", "Evidence", |of| Some(of.triggered.evidence.join(", "))),
    variable("action", "Action", |of| Some(of.triggered.outcome.name().to_owned())),
    variable("decision", "Decision", |of| Some(of.log.decision.clone())),
    variable("risk_level", "Risk", |of| Some(of.log.risk_level.clone())),
    variable("reason", "Reason", |of| of.log.reason.clone()),
    variable("username", "End user", |of| of.log.username.clone()),
    variable("projectName", "Project", |of| of.log.project_name.clone()),
    variable("source_app", "Application", |of| of.log.source_app.clone()),
    variable("device_id", "Device", |of| of.log.device_id.clone()),
    variable("conversation_id", "Conversation", |of| of.log.conversation_id.clone()),
    variable("principal", "Principal", |of| Some(of.log.principal.clone())),
    variable("endpoint", "Endpoint", |of| Some(of.log.endpoint.clone())),
    variable("created_at", "Time", |of| Some(of.log.created_at.to_string())),
    variable("log_id", "Log entry", |of| Some(of.log.id.to_string())),
    variable("log_url", "Link", |of| of.base_url.log_entry(of.log.id)),
    variable("correlation_id", "Correlation id", |of| Some(of.log.correlation_id.clone())),
];

impl Variable {
    /// Returns the value in one line, or `None` if it is empty.
    pub fn value(&self, of: &Incident<'_>) -> Option<String> {
        let value = line(&(self.of)(of)?, MAX_VALUE_CHARS);
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
