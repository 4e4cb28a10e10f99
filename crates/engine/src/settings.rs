//! Settings of guardrails: how they are declared, and the values that a policy gives them.
//!
//! A guardrail declares its settings once ([`Setting`]). Parsing, the API document, the list of guardrails and the
//! schema of policy drafts follow from the declaration.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Map, Value};

use crate::fields::{FieldError, Fields};

/// A setting of a guardrail.
#[derive(Debug, PartialEq)]
pub struct Setting {
    /// Field of the policy's guardrail item.
    pub name: &'static str,
    /// Type and limits.
    pub kind: Kind,
    /// Value if the policy does not set it.
    pub default: Default,
    /// Description for policy authors, as a clause without a capital letter.
    pub help: &'static str,
    /// Whether a policy draft by a language model may set it.
    pub is_drafted: bool,
}

/// Type of a setting, with its limits.
#[derive(Debug, PartialEq)]
pub enum Kind {
    /// True or false.
    Boolean,
    /// One of several names, each with the name that it stands for.
    Choice(&'static [(&'static str, &'static str)]),
    /// A list of texts that are not blank.
    Texts {
        /// Maximum number of texts.
        max_items: usize,
        /// Maximum length of each, in characters.
        max_chars: usize,
    },
    /// A list of objects.
    Records {
        /// Maximum number of objects.
        max_items: usize,
        /// Type of the objects.
        record: &'static Record,
    },
}

/// Type of the objects of a setting.
#[derive(Debug, PartialEq)]
pub struct Record {
    /// Name in the API document, without prefix.
    pub name: &'static str,
    /// Description, as a sentence.
    pub help: &'static str,
    /// Fields, all of which are required.
    pub fields: &'static [Field],
}

/// A text field of a [`Record`].
#[derive(Debug, PartialEq)]
pub struct Field {
    /// Name of the field.
    pub name: &'static str,
    /// Maximum length in characters, for a name that is trimmed and not blank; `None` for any text.
    pub max_chars: Option<usize>,
    /// Description, as a sentence.
    pub help: &'static str,
}

/// Value of a setting that the policy does not set.
#[derive(Debug, PartialEq)]
pub enum Default {
    /// This truth value.
    Boolean(bool),
    /// This choice.
    Choice(&'static str),
    /// The empty list. A policy shows the setting only if the list has items.
    Empty,
    /// Everything. Unlike an absent list, an empty list selects nothing.
    All,
}

impl Setting {
    /// Reads the value that a policy sends; `None` if it sends none.
    fn read(&self, fields: Fields<'_>) -> Result<Option<Value>, FieldError> {
        let value = match &self.kind {
            Kind::Boolean => fields.boolean(self.name)?.map(Value::from),
            Kind::Choice(names) => fields.choice(self.name, names)?.map(Value::from),
            Kind::Texts { max_items, max_chars } => {
                fields.strings(self.name, *max_items, *max_chars)?.map(Value::from)
            }
            Kind::Records { max_items, record } => {
                let items = fields.array(self.name, *max_items)?;
                items.map(|items| record.read(self.name, items)).transpose()?.map(Value::from)
            }
        };
        let is_empty = value.as_ref().and_then(Value::as_array).is_some_and(Vec::is_empty);
        Ok(value.filter(|_| self.default != Default::Empty || !is_empty))
    }

    /// Returns the default as JSON; `None` if the setting is then absent.
    fn default(&self) -> Option<Value> {
        match self.default {
            Default::Boolean(value) => Some(value.into()),
            Default::Choice(name) => Some(name.into()),
            Default::Empty | Default::All => None,
        }
    }
}

impl Record {
    fn read(&self, setting: &str, items: &[Value]) -> Result<Vec<Value>, FieldError> {
        let read = |(at, json): (usize, &Value)| {
            let path = format!("{setting}.{at}");
            let fields = Fields::of(json, &path)?;
            let record = self.fields.iter().map(|field| {
                let text = match field.max_chars {
                    Some(max_chars) => fields.required_text(field.name, max_chars),
                    None => fields.required_string(field.name),
                };
                Ok((field.name.to_owned(), Value::from(text.map_err(|error| error.under(&path))?)))
            });
            record.collect::<Result<Map<_, _>, _>>().map(Value::Object)
        };
        items.iter().enumerate().map(read).collect()
    }
}

/// Values of a guardrail's settings in one policy.
#[derive(Clone, Debug)]
pub struct Settings(Vec<(String, Value)>);

impl Settings {
    /// Returns the defaults of the `declared` settings.
    pub fn defaults(declared: &[Setting]) -> Self {
        let values =
            declared.iter().filter_map(|setting| Some((setting.name.to_owned(), setting.default()?)));
        Self(values.collect())
    }

    /// Reads the `declared` settings of a policy's guardrail item, and ignores other fields.
    pub fn read(fields: Fields<'_>, declared: &[Setting]) -> Result<Self, FieldError> {
        let mut values = Vec::new();
        for setting in declared {
            let value = setting.read(fields)?.or_else(|| setting.default());
            values.extend(value.map(|value| (setting.name.to_owned(), value)));
        }
        Ok(Self(values))
    }

    /// Returns the value of a setting.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Replaces the value of a setting.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.to_owned(), value.into()));
    }

    /// Returns whether a boolean setting is true.
    pub fn is_on(&self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Returns a text or choice.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// Returns a list of texts; `None` if the setting is absent.
    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        let texts = self.get(name)?.as_array()?.iter().filter_map(Value::as_str);
        Some(texts.map(str::to_owned).collect())
    }

    /// Returns a list of objects; empty if the setting is absent.
    pub fn records(&self, name: &str) -> &[Value] {
        self.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
}

/// The order of the settings does not matter.
impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values;

        impl<'de> Visitor<'de> for Values {
            type Value = Settings;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("the settings of a guardrail")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Settings, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = map.next_entry()? {
                    values.push(value);
                }
                Ok(Settings(values))
            }
        }

        deserializer.deserialize_map(Values)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const RECORD: Record = Record {
        name: "Bird",
        help: "A bird.",
        fields: &[
            Field { name: "name", max_chars: Some(5), help: "Name." },
            Field { name: "song", max_chars: None, help: "Song." },
        ],
    };
    const fn setting(name: &'static str, kind: Kind, default: Default) -> Setting {
        Setting { name, kind, default, help: "something", is_drafted: true }
    }
    static DECLARED: &[Setting] = &[
        setting("flies", Kind::Boolean, Default::Boolean(true)),
        setting("size", Kind::Choice(&[("small", "small"), ("tiny", "small")]), Default::Choice("small")),
        setting("terms", Kind::Texts { max_items: 2, max_chars: 3 }, Default::Empty),
        setting("types", Kind::Texts { max_items: 2, max_chars: 3 }, Default::All),
        setting("birds", Kind::Records { max_items: 2, record: &RECORD }, Default::Empty),
    ];

    fn read(json: &Value) -> Result<Value, String> {
        let settings = Settings::read(Fields::of(json, "body").unwrap(), DECLARED);
        settings.map(|settings| json!(settings)).map_err(|error| error.to_string())
    }

    #[test]
    fn absent_settings_have_their_defaults() {
        assert_eq!(read(&json!({})), Ok(json!({ "flies": true, "size": "small" })));
        assert_eq!(json!(Settings::defaults(DECLARED)), json!({ "flies": true, "size": "small" }));
    }

    #[test]
    fn values_are_normalized_and_only_lists_that_select_may_be_empty() {
        let sent = json!({
            "flies": false, "size": "TINY", "terms": [], "types": [], "more": 1,
            "birds": [{ "name": " owl ", "song": "hoo", "more": 1 }],
        });
        let expected = json!({ "flies": false, "size": "small", "types": [], "birds": [{ "name": "owl", "song": "hoo" }] });
        assert_eq!(read(&sent), Ok(expected));
    }

    #[test]
    fn the_first_error_in_declared_order_is_reported_with_its_path() {
        for (sent, error) in [
            (json!({ "size": 1, "flies": 1 }), "flies: must be true or false"),
            (json!({ "size": "big" }), "size: must be one of small, tiny"),
            (json!({ "terms": ["a", "abcd"] }), "terms.1: must be a string of 1 to 3 characters"),
            (json!({ "birds": [{}, {}, {}] }), "birds: must be an array of at most 2 items"),
            (json!({ "birds": [7] }), "birds.0: must be an object"),
            (json!({ "birds": [{ "name": "ostrich" }] }), "birds.0.name: must have 1 to 5 characters"),
            (json!({ "birds": [{ "name": "owl" }] }), "field required: birds.0.song"),
        ] {
            assert_eq!(read(&sent), Err(error.to_owned()), "{sent}");
        }
    }

    #[test]
    fn stored_settings_are_equal_in_any_order() {
        let one: Settings = serde_json::from_str(r#"{"a":1,"b":[2]}"#).unwrap();
        let other: Settings = serde_json::from_str(r#"{"b":[2],"a":1}"#).unwrap();
        assert_eq!(one, other);
        assert_eq!(serde_json::to_string(&other).unwrap(), r#"{"b":[2],"a":1}"#);
        assert_ne!(one, Settings::defaults(&[]));
    }
}
