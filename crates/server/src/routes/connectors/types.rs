use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    connectors::{self, Category, Field, Format, Requirement, TYPES},
    http::{Answer, Json},
};

/// A field of a connector type.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorField {
    /// Wire name.
    name: &'static str,
    /// For people.
    label: &'static str,
    /// What it is and where it is found, for people.
    help: &'static str,
    /// `text`, `key`, `password`, `url`, `base_url`, `email`, `word` or `boolean`.
    #[schema(value_type = String)]
    format: Format,
    /// What it accepts, as a fault tells it.
    accepted: &'static str,
    /// Whether it has to be there.
    required: bool,
    /// The field without which it has to be there.
    required_without: Option<&'static str>,
    /// Whether it is sealed, and never answered.
    secret: bool,
    /// Its value where none is given.
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

/// A type of connectors.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorType {
    /// The end of the path that creates one.
    connector_type: &'static str,
    /// For people.
    label: &'static str,
    /// What it is for.
    categories: &'static [Category],
    /// What its check asks, for people.
    check: &'static str,
    /// What it consists of besides `name` (1 to 100 characters) and `enabled` (true by default).
    fields: Vec<ConnectorField>,
}

impl ConnectorType {
    fn of(kind: &'static connectors::ConnectorType) -> Self {
        let connectors::ConnectorType { name, label, categories, check, fields, .. } = *kind;
        let fields = fields.iter().map(ConnectorField::of).collect();
        Self { connector_type: name, label, categories, check, fields }
    }
}

/// The types.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorTypes {
    types: Vec<ConnectorType>,
}

/// List the types of connectors
///
/// With their fields, for forms.
#[utoipa::path(
    get, path = "/api/connectors/types", tag = "connectors", operation_id = "connectors_types",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Every type", body = ConnectorTypes),
    )
)]
pub async fn handle() -> Answer<ConnectorTypes> {
    Ok(Json(ConnectorTypes { types: TYPES.into_iter().map(ConnectorType::of).collect() }))
}
