//! Connector types and their fields.

use serde_json::json;

use super::markdown::{cell, code, codes, table};
use guardengine_integrations::connectors::{ConnectorType, Field, Format, Requirement, TYPES};

/// Every connector type.
pub fn types() -> String {
    let row = |kind: &ConnectorType| {
        let categories: Vec<_> = kind.categories.iter().map(|category| json!(category)).collect();
        let categories = categories.iter().filter_map(|category| category.as_str());
        vec![code(kind.name), kind.label.to_owned(), codes(categories), cell(kind.check)]
    };
    table(&["type", "name", "categories", "check"], TYPES.into_iter().map(row))
}

/// Every field of every connector type.
pub fn fields() -> String {
    let rows = TYPES.into_iter().flat_map(|kind| kind.fields.iter().map(|field| row(kind, field)));
    table(&["type", "field", "label", "format", "required", "default", "meaning"], rows)
}

fn row(kind: &ConnectorType, field: &Field) -> Vec<String> {
    let required = match field.need {
        Requirement::Always => "yes".to_owned(),
        Requirement::Without(other) => format!("without `{other}`"),
        Requirement::Never => String::new(),
    };
    vec![
        code(kind.name),
        code(field.name),
        field.label.to_owned(),
        format(field).to_owned(),
        required,
        field.default.map(code).unwrap_or_default(),
        cell(field.help),
    ]
}

const fn format(field: &Field) -> &'static str {
    match field.format {
        Format::Boolean => "boolean",
        Format::Url | Format::BaseUrl if !field.secret => "URL",
        Format::Email => "e-mail",
        Format::Host => "host",
        Format::Port => "port",
        Format::Url | Format::BaseUrl | Format::Key | Format::Password => "**secret**",
        Format::Text | Format::Word => "text",
    }
}
