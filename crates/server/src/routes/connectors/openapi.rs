//! OpenAPI operations for creating connectors: one per connector type.

use guardengine_integrations::connectors::{ConnectorType, Field, Format, Requirement, TYPES};
use serde_json::{Map, Value, json};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, OpenApi, RefOr, Schema, path::Operation},
};

use crate::schemas::NewName;

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
    let mut either = Vec::new();
    for field in kind.fields {
        let mut property = property(field);
        if let Some(default) = field.default_value() {
            property["default"] = default;
        }
        properties.insert(field.name.to_owned(), property);
        match field.need {
            Requirement::Always => required.push(field.name),
            Requirement::Without(_) => either.push(json!({ "required": [field.name] })),
            Requirement::Never => {}
        }
    }
    let mut schema = json!({ "type": "object", "required": required, "properties": properties });
    if !either.is_empty() {
        schema["anyOf"] = json!(either);
    }
    schema
}

/// Properties of every type.
fn common() -> Map<String, Value> {
    let name = serde_json::to_value(NewName::schema()).unwrap_or_default();
    Map::from_iter([("name".to_owned(), name), ("enabled".to_owned(), json!({ "type": "boolean" }))])
}

/// Patterns of formats: without control characters, and a text is not blank.
const TEXT: &str =
    r"^[^\u0000-\u001f\u007f-\u009f]*[^\u0000-\u001f\u007f-\u009f\s][^\u0000-\u001f\u007f-\u009f]*$";
const PASSWORD: &str = r"^[^\u0000-\u001f\u007f-\u009f]{1,4000}$";
const KEY: &str = "^[!-~]{1,4000}$";
/// Names of hosts and IP addresses.
const HOST: &str =
    r"^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$";
/// 1 to 65535.
const PORT: &str = "^([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$";

fn property(field: &Field) -> Value {
    let mut property = json!({ "type": "string", "description": field.help });
    match field.format {
        Format::Boolean => property["type"] = json!("boolean"),
        Format::Url | Format::BaseUrl => property["format"] = json!("uri"),
        Format::Email => property["format"] = json!("email"),
        Format::Key => property["pattern"] = json!(KEY),
        Format::Password => property["pattern"] = json!(PASSWORD),
        Format::Text => {
            property["maxLength"] = json!(200);
            property["pattern"] = json!(TEXT);
        }
        Format::Host => property["pattern"] = json!(HOST),
        Format::Port => property["pattern"] = json!(PORT),
        Format::Word => property["pattern"] = json!("^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$"),
    }
    if field.secret {
        property["writeOnly"] = json!(true);
    }
    if field.min_chars > 0 {
        property["minLength"] = json!(field.min_chars);
    }
    property
}
