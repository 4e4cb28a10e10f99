//! Settings of guardrails: how they are declared, and the values that a policy gives them.
//!
//! A guardrail declares its settings once ([`Setting`]). Parsing, the API document, the list of guardrails and the
//! schema of policy drafts follow from the declaration.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use serde_json::Value;

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
    /// Its fields.
    pub fields: &'static [Field],
    /// Fields that responses add. Requests may send them, and they are ignored.
    pub computed: &'static [Field],
}

/// A field of a [`Record`].
#[derive(Debug, PartialEq)]
pub struct Field {
    /// Name of the field.
    pub name: &'static str,
    /// Type and limits.
    pub kind: FieldKind,
    /// True if every object has it.
    pub is_required: bool,
    /// Description, as a sentence.
    pub help: &'static str,
}

/// Type of a field, with its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldKind {
    /// A text that is trimmed and not blank, of so many characters at most.
    Name(usize),
    /// Any text.
    Text,
    /// A text of so many characters at most, which may be empty.
    Note(usize),
    /// A list of texts that are not blank.
    Texts {
        /// Minimum number of texts.
        min_items: usize,
        /// Maximum number of texts.
        max_items: usize,
        /// Maximum length of each, in characters.
        max_chars: usize,
    },
    /// One of several names, each with the name that it stands for.
    Choice(&'static [(&'static str, &'static str)]),
    /// A number from 0 to 1.
    Probability,
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
                let value = field.read(fields).map_err(|error| error.under(&path))?;
                Ok(value.map(|value| (field.name.to_owned(), value)))
            });
            let record: Vec<_> = record.collect::<Result<_, _>>()?;
            Ok(Value::Object(record.into_iter().flatten().collect()))
        };
        items.iter().enumerate().map(read).collect()
    }
}

impl Field {
    /// Reads the value of an object; `None` if it has none and need not.
    fn read(&self, fields: Fields<'_>) -> Result<Option<Value>, FieldError> {
        if self.is_required && fields.get(self.name).is_none() {
            return Err(FieldError::required(self.name));
        }
        Ok(match self.kind {
            FieldKind::Name(max_chars) => match fields.get(self.name) {
                Some(_) => Some(fields.required_text(self.name, max_chars)?.into()),
                None => None,
            },
            FieldKind::Text => fields.string(self.name)?.map(Value::from),
            FieldKind::Note(max_chars) => fields.short_string(self.name, max_chars)?.map(Value::from),
            FieldKind::Texts { min_items, max_items, max_chars } => {
                let texts = fields.strings(self.name, max_items, max_chars)?;
                if texts.as_ref().is_some_and(|texts| texts.len() < min_items) {
                    return Err(FieldError::value(
                        self.name,
                        format!("must have at least {min_items} items"),
                    ));
                }
                texts.map(Value::from)
            }
            FieldKind::Choice(names) => fields.choice(self.name, names)?.map(Value::from),
            FieldKind::Probability => fields.number(self.name, 0.0..=1.0)?.map(Value::from),
        })
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
            Field { name: "name", kind: FieldKind::Name(5), is_required: true, help: "Name." },
            Field { name: "song", kind: FieldKind::Text, is_required: true, help: "Song." },
            Field {
                name: "eggs",
                kind: FieldKind::Texts { min_items: 2, max_items: 3, max_chars: 4 },
                is_required: false,
                help: "Eggs.",
            },
            Field {
                name: "size",
                kind: FieldKind::Choice(&[("small", "small"), ("tiny", "small")]),
                is_required: false,
                help: "Size.",
            },
            Field { name: "tame", kind: FieldKind::Probability, is_required: false, help: "Tameness." },
        ],
        computed: &[],
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
    fn fields_of_an_object_may_be_lists_choices_and_numbers_and_absent() {
        let with = |more: &Value| {
            let mut bird = json!({ "name": "owl", "song": "" });
            bird.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            read(&json!({ "birds": [bird] })).map(|read| read["birds"][0].clone())
        };
        assert_eq!(with(&json!({ "eggs": null })), Ok(json!({ "name": "owl", "song": "" })));
        let full = json!({ "eggs": ["one", "two"], "size": "tiny", "tame": 0.5 });
        let kept = json!({ "name": "owl", "song": "", "eggs": ["one", "two"], "size": "small", "tame": 0.5 });
        assert_eq!(with(&full), Ok(kept));
        for (sent, error) in [
            (json!({ "eggs": ["one"] }), "birds.0.eggs: must have at least 2 items"),
            (json!({ "eggs": ["one", " "] }), "birds.0.eggs.1: must be a string of 1 to 4 characters"),
            (json!({ "size": "big" }), "birds.0.size: must be one of small, tiny"),
            (json!({ "tame": 2 }), "birds.0.tame: must be a number from 0 to 1"),
        ] {
            assert_eq!(with(&sent), Err(error.to_owned()));
        }
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
