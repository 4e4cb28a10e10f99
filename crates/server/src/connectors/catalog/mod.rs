//! The one table of connector types. It drives what a request must hold, what is sealed, what the API document and
//! `GET /api/connectors/types` say, and so the forms of a console.

mod ai;
mod cloud;
mod field;
mod source_hosting;
mod tickets;

use serde::Serialize;
use utoipa::ToSchema;

pub use field::{Field, Requirement};

/// What a connector is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ConnectorCategory)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// An account with a cloud.
    Cloud,
    /// Models that judge and draft.
    Ai,
    /// Where tickets are raised.
    Tickets,
    /// Where source code is kept.
    SourceHosting,
    /// Models that transcribe.
    Audio,
}

/// A type of connectors.
#[derive(Debug)]
pub struct ConnectorType {
    /// Wire name.
    pub name: &'static str,
    /// For people.
    pub label: &'static str,
    /// What it is for.
    pub categories: &'static [Category],
    /// What its check asks, for people.
    pub check: &'static str,
    /// What it consists of, besides `name` and `enabled`, in the order in which faults are told.
    pub fields: &'static [Field],
    /// The field that `model` shows, where there is one.
    pub model: Option<&'static str>,
    /// Whether a check is seen by people on the other side: then it is made when somebody asks for it, and to learn
    /// whether a failing one is back.
    pub is_heard: bool,
}

/// Every type.
pub const TYPES: [&ConnectorType; 11] = [
    &cloud::CLOUDPROVIDER_CLOUD,
    &ai::OPENAI,
    &ai::ANTHROPIC,
    &ai::AZURE_OPENAI,
    &ai::GEMINI,
    &ai::OPENAI_COMPATIBLE,
    &tickets::JIRA,
    &tickets::SERVICENOW,
    &tickets::WEBHOOK,
    &source_hosting::GITHUB,
    &source_hosting::GITLAB,
];

/// The type of that wire name.
pub fn of_name(name: &str) -> Option<&'static ConnectorType> {
    TYPES.into_iter().find(|known| known.name == name)
}

impl ConnectorType {
    /// Whether it is for that.
    pub fn is(&self, category: Category) -> bool {
        self.categories.contains(&category)
    }
}

#[cfg(test)]
mod tests {
    use guardengine_egress::NetworkPolicy;

    use super::*;

    #[test]
    fn the_table_is_sound() {
        for kind in TYPES {
            let has = |name: &str| kind.fields.iter().any(|field| field.name == name);
            assert_eq!(TYPES.iter().filter(|other| other.name == kind.name).count(), 1, "{}", kind.name);
            assert_eq!(of_name(kind.name).map(|found| found.name), Some(kind.name));
            assert!(kind.model.is_none_or(has), "{}", kind.name);
            for field in kind.fields {
                assert!(!["name", "enabled"].contains(&field.name), "{}", field.name);
                assert!(!field.label.is_empty() && !field.help.is_empty(), "{}", field.name);
                assert!(!field.secret || field.default.is_none(), "{}", field.name);
                if let Requirement::Without(other) = field.need {
                    assert!(has(other), "{}", field.name);
                }
                if let Some(default) = field.default_value() {
                    assert_eq!(
                        field.format.read(&default, NetworkPolicy::Internet),
                        Ok(default),
                        "{}",
                        field.name
                    );
                }
            }
        }
    }
}
