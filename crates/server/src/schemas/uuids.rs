//! Patterns of identifiers in the API document: `format` alone is a note, which generated clients and checkers ignore.

use utoipa::openapi::{
    KnownFormat, OpenApi, RefOr, Schema, SchemaFormat,
    path::PathItem,
    schema::{AdditionalProperties, ArrayItems},
};

const UUID: &str = "^[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$";

/// Gives every identifier its pattern.
pub fn add_patterns(document: &mut OpenApi) {
    document.paths.paths.values_mut().for_each(of_path);
    if let Some(components) = &mut document.components {
        components.schemas.values_mut().for_each(of_schema);
    }
}

fn of_path(path: &mut PathItem) {
    let operations = [&mut path.get, &mut path.put, &mut path.post, &mut path.delete];
    for operation in operations.into_iter().flatten() {
        let parameters = operation.parameters.iter_mut().flatten().filter_map(inline);
        parameters.filter_map(|parameter| parameter.schema.as_mut()).for_each(of_schema);
        let bodies = operation.request_body.iter_mut().filter_map(inline);
        let contents = bodies.flat_map(|body| body.content.values_mut()).filter_map(inline);
        contents.filter_map(|content| content.schema.as_mut()).for_each(of_schema);
    }
}

fn inline<T>(value: &mut RefOr<T>) -> Option<&mut T> {
    if let RefOr::T(value) = value { Some(value) } else { None }
}

fn of_schema(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => {
            if object.format == Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)) {
                object.pattern = Some(UUID.to_owned());
            }
            object.properties.values_mut().for_each(of_schema);
            if let Some(AdditionalProperties::RefOr(values)) = object.additional_properties.as_deref_mut() {
                of_schema(values);
            }
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                of_schema(items);
            }
        }
        Schema::OneOf(one) => one.items.iter_mut().for_each(of_schema),
        Schema::AllOf(all) => all.items.iter_mut().for_each(of_schema),
        Schema::AnyOf(any) => any.items.iter_mut().for_each(of_schema),
        _ => {}
    }
}
