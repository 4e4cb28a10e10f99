//! What a policy says of the tickets of a guardrail: `{connector_id, title, priority, labels, fields}`, of which only the
//! first has to be there. Texts may hold placeholders, `{guardrail}`: the names of the facts.

use guardengine_engine::fields::{Fields, Invalid};
use serde_json::{Map, Value};

use super::variables::{VARIABLES, cut, line, named};

const LONGEST_TITLE: usize = 200;
const LONGEST_WORD: usize = 100;
const MOST_LABELS: usize = 20;
const MOST_FIELDS: usize = 50;
const LARGEST_FIELDS: usize = 10_000;
/// Characters of a text that placeholders were filled in.
const LONGEST_FILLED: usize = 2_000;
/// What stands for a fact that there is nothing of.
const NOTHING: &str = "-";

/// How tickets are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    pub title: Option<String>,
    pub priority: Option<String>,
    pub labels: Vec<String>,
    pub fields: Map<String, Value>,
}

impl Template {
    /// Reads a policy's `ticket`.
    pub fn read(fields: Fields<'_>) -> Result<Self, Invalid> {
        let title = fields.get("title").map(|_| fields.required_name("title", LONGEST_TITLE)).transpose()?;
        let title = title.map(|title| checked("title", title)).transpose()?;
        let priority =
            fields.get("priority").map(|_| fields.required_name("priority", LONGEST_WORD)).transpose()?;
        let priority = priority.map(|priority| checked("priority", priority)).transpose()?;
        let labels = fields.strings("labels", MOST_LABELS, LONGEST_WORD)?.unwrap_or_default();
        for (at, label) in labels.iter().enumerate() {
            let field = format!("labels.{at}");
            checked(&field, label)?;
            if label.chars().any(char::is_whitespace) {
                return Err(Invalid::value(field, "must hold no blanks"));
            }
        }
        let more = fields.get("fields").map(own_fields).transpose()?.unwrap_or_default();
        Ok(Self { title, priority, labels, fields: more })
    }

    /// The ticket that is written by it, with `fact` telling what there is by name.
    pub fn filled(&self, fact: &dyn Fn(&str) -> Option<String>) -> Self {
        let label = |label: &String| line(&fill(label, fact), LONGEST_WORD).replace(' ', "_");
        Self {
            title: self.title.as_deref().map(|title| line(&fill(title, fact), LONGEST_TITLE)),
            priority: self.priority.as_deref().map(|priority| line(&fill(priority, fact), LONGEST_WORD)),
            labels: self.labels.iter().map(label).collect(),
            fields: self.fields.iter().map(|(name, value)| (name.clone(), filled(value, fact))).collect(),
        }
    }
}

fn own_fields(value: &Value) -> Result<Map<String, Value>, Invalid> {
    let accepted =
        format!("must be an object of at most {MOST_FIELDS} fields and {LARGEST_FIELDS} characters");
    let fields = value.as_object().filter(|fields| fields.len() <= MOST_FIELDS);
    let fields = fields.filter(|_| value.to_string().chars().count() <= LARGEST_FIELDS);
    let fields = fields.ok_or_else(|| Invalid::value("fields", accepted))?;
    for (name, value) in fields {
        if !(1..=LONGEST_WORD).contains(&name.chars().count()) || name.chars().any(char::is_control) {
            return Err(Invalid::value(
                "fields",
                format!("must have names of 1 to {LONGEST_WORD} characters"),
            ));
        }
        check_all(&format!("fields.{name}"), value)?;
    }
    Ok(fields.clone())
}

/// Checks every text in `value`.
fn check_all(field: &str, value: &Value) -> Result<(), Invalid> {
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

fn checked(field: &str, text: &str) -> Result<String, Invalid> {
    let unknown = || {
        let known: Vec<_> = VARIABLES.iter().map(|fact| format!("{{{}}}", fact.name)).collect();
        Invalid::value(field, format!("must use no braces but for {}", known.join(", ")))
    };
    let is_known = |piece: Piece<'_>| !matches!(piece, Piece::Placeholder(name) if named(name).is_none());
    if pieces(text).all(is_known) { Ok(text.to_owned()) } else { Err(unknown()) }
}

fn filled(value: &Value, fact: &dyn Fn(&str) -> Option<String>) -> Value {
    match value {
        Value::String(text) => Value::String(cut(&fill(text, fact), LONGEST_FILLED)),
        Value::Array(items) => items.iter().map(|item| filled(item, fact)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), filled(value, fact))).collect())
        }
        other => other.clone(),
    }
}

fn fill(text: &str, fact: &dyn Fn(&str) -> Option<String>) -> String {
    let piece = |piece: Piece<'_>| match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Placeholder(name) => fact(name).unwrap_or_else(|| NOTHING.to_owned()),
    };
    pieces(text).map(piece).collect()
}

/// A part of a template.
enum Piece<'t> {
    Text(&'t str),
    /// What stands in braces; with a brace that is not closed, all that follows.
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
        Template::read(Fields::of(ticket, "ticket").unwrap()).map_err(|fault| fault.to_string())
    }

    fn told(name: &str) -> Option<String> {
        (name != "username").then(|| format!("the {name}"))
    }

    #[test]
    fn placeholders_are_filled_in_everywhere() {
        let ticket = json!({
            "title": "{guardrail}: {username}!", "priority": "High", "labels": ["{projectName}", "ai"],
            "fields": { "a": "{severity}", "b": [{ "c": "{decision}" }], "d": 1 },
        });
        let filled = read(&ticket).unwrap().filled(&told);
        assert_eq!(filled.title.as_deref(), Some("the guardrail: -!"));
        assert_eq!(filled.labels, ["the_projectName", "ai"]);
        let fields = json!({ "a": "the severity", "b": [{ "c": "the decision" }], "d": 1 });
        assert_eq!(Value::Object(filled.fields), fields);
    }

    #[test]
    fn a_fault_names_its_field() {
        let many: Map<String, Value> = (0..51).map(|at| (at.to_string(), json!(1))).collect();
        for (ticket, begins) in [
            (json!({ "title": " " }), "title: must have 1 to 200 characters"),
            (json!({ "title": "{prompt}" }), "title: must use no braces but for {guardrail}, {confidence}, "),
            (json!({ "title": "a {" }), "title: must use no braces but for "),
            (json!({ "priority": 1 }), "priority: must be a string"),
            (json!({ "labels": "a" }), "labels: must be an array of at most 20 items"),
            (json!({ "labels": ["a", "b c"] }), "labels.1: must hold no blanks"),
            (json!({ "fields": [] }), "fields: must be an object of at most 50 fields"),
            (json!({ "fields": many }), "fields: must be an object of at most 50 fields"),
            (json!({ "fields": { "a": ["x".repeat(10_000)] } }), "fields: must be an object of at most"),
            (json!({ "fields": { "": 1 } }), "fields: must have names of 1 to 100 characters"),
            (json!({ "fields": { "a": [{ "b": "{c}" }] } }), "fields.a.0.b: must use no braces but for "),
        ] {
            let told = read(&ticket).unwrap_err();
            assert!(told.starts_with(begins), "{told}");
        }
        assert_eq!(read(&json!({ "connector_id": "x", "title": null })), Ok(Template::default()));
    }

    proptest! {
        #[test]
        fn what_is_filled_in_is_not_read_again(text in ".{0,40}") {
            let filled = fill("{guardrail}", &|_| Some(text.clone()));
            prop_assert_eq!(filled, text);
        }

        #[test]
        fn any_text_can_be_read(text in "[a{}]{0,20}") {
            let _accepted = checked("a", &text);
            let _filled = fill(&text, &told);
        }
    }
}
