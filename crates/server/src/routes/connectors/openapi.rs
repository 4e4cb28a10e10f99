//! OpenAPI operations for creating connectors: one per connector type.

use guardengine_integrations::connectors::{ConnectorType, Field, Format, Requirement, TYPES};
use serde_json::{Map, Value, json};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, OpenApi, RefOr, Schema, path::Operation},
};

/// Fields to change. Those of every connector type are here; which apply depends on the type.
#[derive(Debug)]
pub struct ConnectorChange;

impl PartialSchema for ConnectorChange {
    fn schema() -> RefOr<Schema> {
        let mut properties = common();
        for field in TYPES.iter().flat_map(|kind| kind.fields) {
            let mut property = property(field);
            property["type"] = json!([property["type"], "null"]);
            properties.insert(field.name.to_owned(), property);
        }
        let help = "Fields to change. Absent fields keep their value; null removes an optional one.";
        let schema = json!({ "type": "object", "description": help, "properties": properties });
        serde_json::from_value(schema).unwrap_or_else(|_| ObjectBuilder::new().into())
    }
}

impl ToSchema for ConnectorChange {}

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
    let mut properties = common();
    properties["enabled"]["default"] = json!(true);
    let mut required = vec!["name"];
    for field in kind.fields {
        let mut property = property(field);
        if let Some(default) = field.default_value() {
            property["default"] = default;
        }
        properties.insert(field.name.to_owned(), property);
        if field.need == Requirement::Always {
            required.push(field.name);
        }
    }
    json!({ "type": "object", "required": required, "properties": properties })
}

/// Properties of every type.
fn common() -> Map<String, Value> {
    let name = json!({ "type": "string", "minLength": 1, "maxLength": 100 });
    Map::from_iter([("name".to_owned(), name), ("enabled".to_owned(), json!({ "type": "boolean" }))])
}

fn property(field: &Field) -> Value {
    let mut property = json!({ "type": "string", "description": field.help });
    match field.format {
        Format::Boolean => property["type"] = json!("boolean"),
        Format::Url | Format::BaseUrl => property["format"] = json!("uri"),
        Format::Email => property["format"] = json!("email"),
        Format::Key | Format::Password => property["writeOnly"] = json!(true),
        Format::Text => property["maxLength"] = json!(200),
        Format::Word => property["pattern"] = json!("^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$"),
    }
    if field.min_chars > 0 {
        property["minLength"] = json!(field.min_chars);
    }
    property
}
