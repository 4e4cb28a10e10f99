use guardengine_integrations::connectors::{self, Category, Field, Format, Requirement, TYPES};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::http::{Answer, Json};

/// A field of a connector type.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorField {
    /// Name in the API.
    name: &'static str,
    /// Human-readable label.
    label: &'static str,
    /// Human-readable help.
    help: &'static str,
    /// `text`, `key`, `password`, `url`, `base_url`, `email`, `word` or `boolean`.
    #[schema(value_type = guardengine_api_types::choices::FieldFormat)]
    format: Format,
    /// Accepted values, as in error messages.
    accepted: &'static str,
    /// True if the field is required.
    required: bool,
    /// The field is required if this other field is absent.
    required_without: Option<&'static str>,
    /// True if the value is a secret. Secrets are encrypted and never returned.
    secret: bool,
    /// Default value.
    default: Option<Value>,
}

impl ConnectorField {
    fn of(field: &'static Field) -> Self {
        Self {
            name: field.name,
            label: field.label,
            help: field.help,
            format: field.format,
            accepted: field.format.accepted(),
            required: field.need == Requirement::Always,
            required_without: match field.need {
                Requirement::Without(other) => Some(other),
                _ => None,
            },
            secret: field.secret,
            default: field.default_value(),
        }
    }
}

/// A connector type.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorType {
    /// Type name: the last segment of the creation path.
    connector_type: &'static str,
    /// Human-readable label.
    label: &'static str,
    /// Purposes of the type.
    categories: &'static [Category],
    /// Human-readable description of the check.
    check: &'static str,
    /// Fields besides `name` (1 to 100 characters) and `enabled` (default: true).
    fields: Vec<ConnectorField>,
}

impl ConnectorType {
    fn of(kind: &'static connectors::ConnectorType) -> Self {
        let connectors::ConnectorType { name, label, categories, check, fields, .. } = *kind;
        let fields = fields.iter().map(ConnectorField::of).collect();
        Self { connector_type: name, label, categories, check, fields }
    }
}

/// All connector types.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorTypes {
    types: Vec<ConnectorType>,
}

/// List connector types
///
/// Returns the fields of each type, for forms.
#[utoipa::path(
    get, path = "/api/connectors/types", tag = "connectors", operation_id = "connectors_types",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The connector types", body = ConnectorTypes),
    )
)]
pub async fn handle() -> Answer<ConnectorTypes> {
    Ok(Json(ConnectorTypes { types: TYPES.into_iter().map(ConnectorType::of).collect() }))
}
