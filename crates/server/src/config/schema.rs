//! JSON Schema of the configuration file, for editors.

use guardengine_engine::scores::LABELS;
use serde_json::{Map, Value, json};

use super::{Described, Form, Section, sections};

/// Units that `humantime` reads and that are at least one second.
const UNITS: &str = "(?:seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|months?|M|years?|y)";

/// Returns the JSON Schema (draft 2020-12) of the configuration file.
pub fn schema() -> Value {
    let mut root = object("Configuration of guardengine.");
    for section in sections() {
        add(&mut root, &section);
    }
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "guardengine.toml",
    });
    if let (Value::Object(schema), Value::Object(root)) = (&mut schema, root) {
        schema.extend(root);
    }
    schema
}

fn object(description: &str) -> Value {
    json!({ "type": "object", "description": description, "additionalProperties": false, "properties": {} })
}

/// Adds a section and its keys to the object of the whole file.
fn add(root: &mut Value, section: &Section) {
    let mut at = root;
    for name in section.name.split('.').filter(|name| !name.is_empty()) {
        let properties = &mut at["properties"];
        if properties.get(name).is_none() {
            properties[name] = object("");
        }
        at = &mut properties[name];
    }
    if !section.name.is_empty() {
        at["description"] = json!(plain(&section.description));
    }
    for described in &section.keys {
        let name = described.key.name.rsplit('.').next().unwrap_or_default();
        at["properties"][name] = property(described);
    }
}

fn property(described: &Described) -> Value {
    let mut property = shape(&described.key.form, described.is_optional());
    property.insert("description".to_owned(), json!(description(described)));
    if !described.is_optional() {
        let default = serde_json::to_value(&described.default).unwrap_or_default();
        property.insert("default".to_owned(), default);
    }
    if described.key.is_secret {
        property.insert("writeOnly".to_owned(), json!(true));
    }
    Value::Object(property)
}

/// Returns the description of a key with its form and its environment variable.
fn description(described: &Described) -> String {
    let key = described.key;
    let form = match &key.form {
        Form::Text | Form::Path => String::new(),
        form => format!(" The value {}.", form.accepted()),
    };
    let secret = if key.is_secret { " Secret: best set in the environment." } else { "" };
    format!("{}{form}{secret} Environment: {}", plain(&described.description), key.variable())
}

/// Removes the backquotes, which editors would show.
fn plain(markdown: &str) -> String {
    markdown.replace('`', "")
}

/// Returns the keywords for values of this form. Numbers and booleans that can be unset accept an empty text too.
fn shape(form: &Form, is_optional: bool) -> Map<String, Value> {
    let value = match form {
        Form::Text | Form::Path => json!({ "type": "string" }),
        Form::Boolean => json!({ "type": "boolean" }),
        Form::Count(range) => count(*range.start(), *range.end(), is_optional),
        Form::Duration(range) => text(&duration(!range.start().is_zero()), is_optional),
        Form::Size(min) => size(*min, is_optional),
        Form::Limit => {
            text(&format!("[Oo][Ff][Ff]|[1-9][0-9]* */ *(?:{})", duration_of_a_second()), is_optional)
        }
        Form::OneOf(words) => one_of(words, is_optional),
        Form::Shaped(shape) => text(shape.pattern, is_optional),
        Form::List(shape) => list(shape.pattern, is_optional),
        Form::Labels => labels(is_optional),
    };
    value.as_object().cloned().unwrap_or_default()
}

fn text(pattern: &str, is_optional: bool) -> Value {
    json!({ "type": "string", "pattern": anchored(pattern, is_optional) })
}

fn anchored(pattern: &str, is_optional: bool) -> String {
    format!("^(?:{pattern}){}$", if is_optional { "?" } else { "" })
}

fn count(min: i64, max: i64, is_optional: bool) -> Value {
    let mut count = json!({ "type": "integer", "minimum": min });
    if max < i64::from(u32::MAX) {
        count["maximum"] = json!(max);
    }
    or_empty(count, is_optional)
}

/// Lets a number or a list be an empty text.
fn or_empty(mut schema: Value, is_optional: bool) -> Value {
    if is_optional {
        schema["type"] = json!([schema["type"], "string"]);
        schema["pattern"] = json!("^$");
    }
    schema
}

fn duration(is_positive: bool) -> String {
    if is_positive {
        return format!("{}|[1-9][0-9]* *(?:milliseconds?|millis|ms)", duration_of_a_second());
    }
    format!("0|(?:[0-9]+ *(?:milliseconds?|millis|ms|{UNITS}) *)+")
}

fn duration_of_a_second() -> String {
    format!("[1-9][0-9]* *{UNITS}(?: *[0-9]+ *{UNITS})*")
}

fn size(min: usize, is_optional: bool) -> Value {
    let pattern = anchored("[1-9][0-9]* *(?:(?:[kKmMgG][iI]?)?[bB])?", is_optional);
    json!({ "type": ["string", "integer"], "pattern": pattern, "minimum": min })
}

fn one_of(words: &[&str], is_optional: bool) -> Value {
    let words = words.iter().copied().chain(is_optional.then_some("")).collect::<Vec<_>>();
    json!({ "type": "string", "enum": words })
}

fn list(pattern: &str, is_optional: bool) -> Value {
    let whole = format!(" *(?:{pattern}) *(?:, *(?:{pattern}) *)*");
    json!({
        "type": ["string", "array"],
        "pattern": anchored(&whole, is_optional),
        "items": { "type": "string", "pattern": anchored(pattern, false) },
    })
}

fn labels(is_optional: bool) -> Value {
    let pair = format!("[^,]*[^,= ] *= *(?:{}) *", LABELS.join("|"));
    json!({
        "type": ["string", "object"],
        "pattern": anchored(&format!("{pair}(?:,{pair})*"), is_optional),
        "additionalProperties": { "enum": LABELS },
    })
}

#[cfg(test)]
mod tests;
