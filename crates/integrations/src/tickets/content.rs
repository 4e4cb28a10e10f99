//! Content of a queued ticket. It is fixed when the decision is made, by the policy and project of that time.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    template::Template,
    variables::{Incident, VARIABLES, cut, named},
};

/// Maximum number of characters of the evaluated text.
const MAX_TEXT_CHARS: usize = 2_000;
const DEFAULT_TITLE: &str = "guardengine: {guardrail}, severity {severity}, decision {decision}";

/// Content of a ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// Title, one line.
    pub title: String,
    /// Variables by name, in the order of [`VARIABLES`].
    #[serde(rename = "facts")]
    pub variables: Vec<(String, String)>,
    /// Evaluated text, as far as the project's `log_content` stores it.
    pub text: Option<String>,
    /// Priority from the policy.
    pub priority: Option<String>,
    /// Labels from the policy.
    pub labels: Vec<String>,
    /// Further fields from the policy.
    pub fields: Map<String, Value>,
}

impl Content {
    /// Builds the content for a triggered guardrail.
    pub fn of(template: &Template, incident: &Incident<'_>) -> Self {
        let variable = |name: &str| named(name)?.value(incident);
        let template =
            Template { title: template.title.clone().or(Some(DEFAULT_TITLE.to_owned())), ..template.clone() };
        let Template { title, priority, labels, fields } = template.fill(&variable);
        let with_value = |variable: &super::variables::Variable| {
            Some((variable.name.to_owned(), variable.value(incident)?))
        };
        Self {
            title: title.unwrap_or_default(),
            variables: VARIABLES.iter().filter_map(with_value).collect(),
            text: incident
                .log
                .text
                .as_deref()
                .map(|text| cut(&printable(text), MAX_TEXT_CHARS))
                .filter(|text| !text.is_empty()),
            priority,
            labels,
            fields,
        }
    }

    /// Returns the variables as labelled lines.
    pub fn lines(&self) -> Vec<String> {
        let label =
            |name: &str| named(name).map_or_else(|| name.to_owned(), |variable| variable.label.to_owned());
        self.variables.iter().map(|(name, value)| format!("{}: {value}", label(name))).collect()
    }
}

/// Removes control characters, for which some systems refuse the whole ticket.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}
