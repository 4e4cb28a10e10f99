//! What a ticket tells of a decision. One table: its names are the placeholders of templates and the fields of webhooks.

use guardengine_engine::policy::{Triggered, risk};
use guardengine_store::Log;

/// Characters of one fact.
const LONGEST: usize = 500;

/// A fact: its wire name, and what people call it.
pub struct Variable {
    pub name: &'static str,
    pub label: &'static str,
    of: fn(&Log, &Triggered) -> Option<String>,
}

const fn fact(
    name: &'static str,
    label: &'static str,
    of: fn(&Log, &Triggered) -> Option<String>,
) -> Variable {
    Variable { name, label, of }
}

/// Every fact, in the order in which tickets tell them. What was judged is none of them: titles and fields travel further
/// than a ticket's text.
pub static VARIABLES: [Variable; 18] = [
    fact("guardrail", "Guardrail", |_, triggered| Some(triggered.name.to_owned())),
    fact("confidence", "Confidence", |_, triggered| Some(format!("{:.2}", triggered.confidence))),
    fact("severity", "Severity", |_, triggered| Some(risk::severity(triggered.confidence).to_owned())),
    fact("evidence", "Recognised", |_, triggered| Some(triggered.evidence.join(", "))),
    fact("action", "Action", |_, triggered| Some(triggered.outcome.name().to_owned())),
    fact("decision", "Decision", |log, _| Some(log.decision.clone())),
    fact("risk_level", "Risk", |log, _| Some(log.risk_level.clone())),
    fact("reason", "Reason", |log, _| log.reason.clone()),
    fact("username", "End user", |log, _| log.username.clone()),
    fact("projectName", "Project", |log, _| log.project_name.clone()),
    fact("source_app", "Application", |log, _| log.source_app.clone()),
    fact("device_id", "Device", |log, _| log.device_id.clone()),
    fact("conversation_id", "Conversation", |log, _| log.conversation_id.clone()),
    fact("principal", "Caller", |log, _| Some(log.principal.clone())),
    fact("endpoint", "Endpoint", |log, _| Some(log.endpoint.clone())),
    fact("created_at", "Time", |log, _| Some(log.created_at.to_string())),
    fact("log_id", "Row in the log", |log, _| Some(log.id.to_string())),
    fact("correlation_id", "Correlation id", |log, _| Some(log.correlation_id.clone())),
];

impl Variable {
    /// What there is of it, in one line; `None` where there is nothing.
    pub fn value(&self, log: &Log, triggered: &Triggered) -> Option<String> {
        let value = line(&(self.of)(log, triggered)?, LONGEST);
        Some(value).filter(|value| !value.is_empty())
    }
}

/// The fact of that name.
pub fn named(name: &str) -> Option<&'static Variable> {
    VARIABLES.iter().find(|fact| fact.name == name)
}

/// `text` in one line of at most `longest` characters.
pub fn line(text: &str, longest: usize) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    cut(&words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "), longest)
}

/// The beginning of `text`, at most `longest` characters; an ellipsis tells that there is more.
pub fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_and_short() {
        assert_eq!(line(" a\n\tb\0c ", 9), "a b c");
        assert_eq!(line("abcdef", 4), "abc…");
        assert_eq!(cut("äöü", 3), "äöü");
    }

    #[test]
    fn facts_have_names_of_their_own() {
        for fact in &VARIABLES {
            assert_eq!(VARIABLES.iter().filter(|other| other.name == fact.name).count(), 1, "{}", fact.name);
        }
    }
}
