//! Ticket templates in policies: `{connector_id, title, priority, labels, fields}`, of which only `connector_id` is
//! required. Texts may contain placeholders such as `{guardrail}`: names of [`VARIABLES`].

use guardengine_engine::fields::{FieldError, Fields};
use serde_json::{Map, Value};

use super::variables::{VARIABLES, cut, line, named};

const MAX_TITLE_CHARS: usize = 200;
const MAX_WORD_CHARS: usize = 100;
const MAX_LABELS: usize = 20;
const MAX_FIELDS: usize = 50;
const MAX_FIELDS_CHARS: usize = 10_000;
/// Maximum number of characters of a text after filling in placeholders.
const MAX_FILLED_CHARS: usize = 2_000;
/// Replacement for a variable without a value.
const MISSING_VALUE: &str = "-";

/// Template of a ticket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    /// Title of the ticket, with placeholders.
    pub title: Option<String>,
    /// Priority, as the ticket system names it.
    pub priority: Option<String>,
    /// Labels of the ticket.
    pub labels: Vec<String>,
    /// Further fields of the ticket system, by name.
    pub fields: Map<String, Value>,
}

impl Template {
    /// Parses the `ticket` object of a policy. Returns the first error.
    pub fn read(fields: Fields<'_>) -> Result<Self, FieldError> {
        let title =
            fields.get("title").map(|_| fields.required_text("title", MAX_TITLE_CHARS)).transpose()?;
        let title = title.map(|title| checked("title", title)).transpose()?;
        let priority =
            fields.get("priority").map(|_| fields.required_text("priority", MAX_WORD_CHARS)).transpose()?;
        let priority = priority.map(|priority| checked("priority", priority)).transpose()?;
        let labels = fields.strings("labels", MAX_LABELS, MAX_WORD_CHARS)?.unwrap_or_default();
        for (at, label) in labels.iter().enumerate() {
            let field = format!("labels.{at}");
            checked(&field, label)?;
            if label.chars().any(char::is_whitespace) {
                return Err(FieldError::value(field, "must not contain spaces"));
            }
        }
        let custom_fields = fields.get("fields").map(custom_fields).transpose()?.unwrap_or_default();
        Ok(Self { title, priority, labels, fields: custom_fields })
    }

    /// Fills in the placeholders. `variable` returns the value of a variable by name.
    #[must_use]
    pub fn fill(&self, variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let label = |label: &String| line(&fill_text(label, variable), MAX_WORD_CHARS).replace(' ', "_");
        Self {
            title: self.title.as_deref().map(|title| line(&fill_text(title, variable), MAX_TITLE_CHARS)),
            priority: self
                .priority
                .as_deref()
                .map(|priority| line(&fill_text(priority, variable), MAX_WORD_CHARS)),
            labels: self.labels.iter().map(label).collect(),
            fields: self
                .fields
                .iter()
                .map(|(name, value)| (name.clone(), fill_value(value, variable)))
                .collect(),
        }
    }
}

fn custom_fields(value: &Value) -> Result<Map<String, Value>, FieldError> {
    let accepted =
        format!("must be an object of at most {MAX_FIELDS} fields and {MAX_FIELDS_CHARS} characters");
    let fields = value.as_object().filter(|fields| fields.len() <= MAX_FIELDS);
    let fields = fields.filter(|_| value.to_string().chars().count() <= MAX_FIELDS_CHARS);
    let fields = fields.ok_or_else(|| FieldError::value("fields", accepted))?;
    for (name, value) in fields {
        if !(1..=MAX_WORD_CHARS).contains(&name.chars().count()) || name.chars().any(char::is_control) {
            return Err(FieldError::value(
                "fields",
                format!("must have names of 1 to {MAX_WORD_CHARS} characters"),
            ));
        }
        check_all(&format!("fields.{name}"), value)?;
    }
    Ok(fields.clone())
}

/// Checks the placeholders of every text in `value`.
fn check_all(field: &str, value: &Value) -> Result<(), FieldError> {
    match value {
        Value::String(text) => checked(field, text).map(drop),
        Value::Array(items) => {
            items.iter().enumerate().try_for_each(|(at, item)| check_all(&format!("{field}.{at}"), item))
        }
        Value::Object(fields) => {
            fields.iter().try_for_each(|(name, value)| check_all(&format!("{field}.{name}"), value))
        }
        _ => Ok(()),
    }
}

fn checked(field: &str, text: &str) -> Result<String, FieldError> {
    let unknown = || {
        let known: Vec<_> = VARIABLES.iter().map(|variable| format!("{{{}}}", variable.name)).collect();
        FieldError::value(field, format!("may use braces only for {}", known.join(", ")))
    };
    let is_known = |piece: Piece<'_>| !matches!(piece, Piece::Placeholder(name) if named(name).is_none());
    if pieces(text).all(is_known) { Ok(text.to_owned()) } else { Err(unknown()) }
}

fn fill_value(value: &Value, variable: &dyn Fn(&str) -> Option<String>) -> Value {
    match value {
        Value::String(text) => Value::String(cut(&fill_text(text, variable), MAX_FILLED_CHARS)),
        Value::Array(items) => items.iter().map(|item| fill_value(item, variable)).collect(),
        Value::Object(fields) => Value::Object(
            fields.iter().map(|(name, value)| (name.clone(), fill_value(value, variable))).collect(),
        ),
        other => other.clone(),
    }
}

fn fill_text(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> String {
    let piece = |piece: Piece<'_>| match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Placeholder(name) => variable(name).unwrap_or_else(|| MISSING_VALUE.to_owned()),
    };
    pieces(text).map(piece).collect()
}

/// A part of a template.
enum Piece<'t> {
    Text(&'t str),
    /// Text in braces, or everything after an unclosed brace.
    Placeholder(&'t str),
}

fn pieces(mut text: &str) -> impl Iterator<Item = Piece<'_>> {
    std::iter::from_fn(move || {
        if text.is_empty() {
            return None;
        }
        let Some(inside) = text.strip_prefix('{') else {
            let (piece, rest) = text.split_at(text.find('{').unwrap_or(text.len()));
            text = rest;
            return Some(Piece::Text(piece));
        };
        let (name, rest) = inside.split_once('}').unwrap_or((inside, ""));
        text = rest;
        Some(Piece::Placeholder(name))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(ticket: &Value) -> Result<Template, String> {
        Template::read(Fields::of(ticket, "ticket").unwrap()).map_err(|error| error.to_string())
    }

    fn value_of(name: &str) -> Option<String> {
        (name != "username").then(|| format!("the {name}"))
    }

    #[test]
    fn fills_in_all_placeholders() {
        let ticket = json!({
            "title": "{guardrail}: {username}!", "priority": "High", "labels": ["{projectName}", "ai"],
            "fields": { "a": "{severity}", "b": [{ "c": "{decision}" }], "d": 1 },
        });
        let filled = read(&ticket).unwrap().fill(&value_of);
        assert_eq!(filled.title.as_deref(), Some("the guardrail: -!"));
        assert_eq!(filled.labels, ["the_projectName", "ai"]);
        let fields = json!({ "a": "the severity", "b": [{ "c": "the decision" }], "d": 1 });
        assert_eq!(Value::Object(filled.fields), fields);
    }

    #[test]
    fn errors_name_the_field() {
        let many: Map<String, Value> = (0..51).map(|at| (at.to_string(), json!(1))).collect();
        for (ticket, start) in [
            (json!({ "title": " " }), "title: must have 1 to 200 characters"),
            (json!({ "title": "{prompt}" }), "title: may use braces only for {guardrail}, {confidence}, "),
            (json!({ "title": "a {" }), "title: may use braces only for "),
            (json!({ "priority": 1 }), "priority: must be a string"),
            (json!({ "labels": "a" }), "labels: must be an array of at most 20 items"),
            (json!({ "labels": ["a", "b c"] }), "labels.1: must not contain spaces"),
            (json!({ "fields": [] }), "fields: must be an object of at most 50 fields"),
            (json!({ "fields": many }), "fields: must be an object of at most 50 fields"),
            (json!({ "fields": { "a": ["x".repeat(10_000)] } }), "fields: must be an object of at most"),
            (json!({ "fields": { "": 1 } }), "fields: must have names of 1 to 100 characters"),
            (json!({ "fields": { "a": [{ "b": "{c}" }] } }), "fields.a.0.b: may use braces only for "),
        ] {
            let error = read(&ticket).unwrap_err();
            assert!(error.starts_with(start), "{error}");
        }
        assert_eq!(read(&json!({ "connector_id": "x", "title": null })), Ok(Template::default()));
    }

    proptest! {
        #[test]
        fn values_are_not_parsed_for_placeholders(text in ".{0,40}") {
            let filled = fill_text("{guardrail}", &|_| Some(text.clone()));
            prop_assert_eq!(filled, text);
        }

        #[test]
        fn any_text_can_be_parsed(text in "[a{}]{0,20}") {
            let _accepted = checked("a", &text);
            let _filled = fill_text(&text, &value_of);
        }
    }
}
