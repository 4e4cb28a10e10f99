//! What is sent of a ticket, as the queue holds it: written when the decision was made, by the policy and the project of
//! that time.

use guardengine_engine::policy::Triggered;
use guardengine_store::Log;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    template::Template,
    variables::{VARIABLES, cut, named},
};

/// Characters of the judged text.
const LONGEST_TEXT: usize = 2_000;
const TITLE: &str = "guardengine: {guardrail}, severity {severity}, decision {decision}";

/// What is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// In one line.
    pub title: String,
    /// By name, in their order.
    pub facts: Vec<(String, String)>,
    /// What was judged, as far as the project's `log_content` keeps it.
    pub text: Option<String>,
    /// As the policy asks for.
    pub priority: Option<String>,
    /// As the policy asks for.
    pub labels: Vec<String>,
    /// As the policy asks for.
    pub fields: Map<String, Value>,
}

impl Content {
    /// What is told of a guardrail that triggered.
    pub fn of(template: &Template, log: &Log, triggered: &Triggered) -> Self {
        let fact = |name: &str| named(name)?.value(log, triggered);
        let titled =
            Template { title: template.title.clone().or(Some(TITLE.to_owned())), ..template.clone() };
        let Template { title, priority, labels, fields } = titled.filled(&fact);
        let there =
            |fact: &super::variables::Variable| Some((fact.name.to_owned(), fact.value(log, triggered)?));
        Self {
            title: title.unwrap_or_default(),
            facts: VARIABLES.iter().filter_map(there).collect(),
            text: log
                .text
                .as_deref()
                .map(|text| cut(&printable(text), LONGEST_TEXT))
                .filter(|text| !text.is_empty()),
            priority,
            labels,
            fields,
        }
    }

    /// The facts in lines for people.
    pub fn lines(&self) -> Vec<String> {
        let label = |name: &str| named(name).map_or_else(|| name.to_owned(), |fact| fact.label.to_owned());
        self.facts.iter().map(|(name, value)| format!("{}: {value}", label(name))).collect()
    }
}

/// Without the characters that some systems refuse a whole ticket for.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}
