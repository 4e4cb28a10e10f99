//! OpenAPI operations for creating connectors: one per connector type.

use guardengine_integrations::connectors::{ConnectorType, Format, Requirement, TYPES};
use serde_json::{Map, Value, json};
use utoipa::openapi::{OpenApi, path::Operation};

/// Replaces the operation at `path`, which takes the type as a parameter, with one operation per type.
pub fn add_operations(document: &mut OpenApi, path: &str) {
    let Some(generic) = document.paths.paths.get_mut(path).and_then(|item| item.post.take()) else { return };
    for kind in TYPES {
        if let Some(operation) = operation(&generic, kind) {
            let path = format!("/api/connectors/{}", kind.name);
            let item = utoipa::openapi::PathItem::new(utoipa::openapi::HttpMethod::Post, operation);
            document.paths.paths.insert(path, item);
        }
    }
}

fn operation(generic: &Operation, kind: &ConnectorType) -> Option<Operation> {
    let mut operation = serde_json::to_value(generic).ok()?;
    operation["operationId"] = json!(format!("connectors_create_{}", kind.name));
    operation["summary"] = json!(format!("Create a connector: {}", kind.label));
    operation["description"] = json!(format!("Check: {}", kind.check));
    operation["requestBody"] =
        json!({ "required": true, "content": { "application/json": { "schema": schema(kind) } } });
    operation.as_object_mut()?.remove("parameters");
    serde_json::from_value(operation).ok()
}

fn schema(kind: &ConnectorType) -> Value {
    let mut properties = Map::new();
    properties.insert("name".to_owned(), json!({ "type": "string", "minLength": 1, "maxLength": 100 }));
    let mut required = vec!["name"];
    for field in kind.fields {
        let mut property = json!({ "type": "string", "description": field.help });
        match field.format {
            Format::Boolean => property["type"] = json!("boolean"),
            Format::Url | Format::BaseUrl => property["format"] = json!("uri"),
            Format::Email => property["format"] = json!("email"),
            Format::Key | Format::Password => property["writeOnly"] = json!(true),
            Format::Text | Format::Word => {}
        }
        if let Some(default) = field.default_value() {
            property["default"] = default;
        }
        properties.insert(field.name.to_owned(), property);
        if field.need == Requirement::Always {
            required.push(field.name);
        }
    }
    properties.insert("enabled".to_owned(), json!({ "type": "boolean", "default": true }));
    json!({ "type": "object", "required": required, "properties": properties })
}
