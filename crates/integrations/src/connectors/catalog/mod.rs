//! The table of connector types. Request validation, encryption, the OpenAPI document, `GET /api/connectors/types` and the
//! console's forms all follow from it.

mod ai;
mod cloud;
mod field;
mod mcp;
mod messages;
mod source_hosting;
mod tickets;

use serde::Serialize;
use utoipa::ToSchema;

pub use field::{Field, Requirement};

/// Purpose of a connector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ConnectorCategory)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Cloud accounts.
    Cloud,
    /// Models that evaluate texts and draft policies.
    Ai,
    /// Ticket systems.
    Tickets,
    /// Source code hosting.
    SourceHosting,
    /// Models that transcribe.
    Audio,
    /// Tools of models.
    Tools,
    /// Messages to people.
    Messages,
}

/// A connector type.
#[derive(Debug)]
pub struct ConnectorType {
    /// Wire name.
    pub name: &'static str,
    /// Label in the console.
    pub label: &'static str,
    /// Purposes.
    pub categories: &'static [Category],
    /// Description of the health check, for users.
    pub check: &'static str,
    /// Fields besides `name` and `enabled`, in the order in which errors are reported.
    pub fields: &'static [Field],
    /// Field that is shown as `model`, if any.
    pub model: Option<&'static str>,
    /// True if people on the other side see a check. Such connectors are checked only on request, and while they fail.
    pub check_is_visible: bool,
}

/// All connector types.
pub const TYPES: [&ConnectorType; 14] = [
    &cloud::CLOUDPROVIDER_CLOUD,
    &ai::OPENAI,
    &ai::ANTHROPIC,
    &ai::AZURE_OPENAI,
    &ai::GEMINI,
    &ai::OPENAI_COMPATIBLE,
    &mcp::MCP_SERVER,
    &tickets::JIRA,
    &tickets::SERVICENOW,
    &tickets::WEBHOOK,
    &messages::SMTP,
    &messages::SLACK,
    &source_hosting::GITHUB,
    &source_hosting::GITLAB,
];

/// Returns the type with this wire name.
pub fn of_name(name: &str) -> Option<&'static ConnectorType> {
    TYPES.into_iter().find(|known| known.name == name)
}

impl ConnectorType {
    /// Returns true if the type serves this purpose.
    pub fn is(&self, category: Category) -> bool {
        self.categories.contains(&category)
    }
}

#[cfg(test)]
mod tests {
    use guardengine_egress::NetworkPolicy;

    use super::*;

    #[test]
    fn the_table_is_consistent() {
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
