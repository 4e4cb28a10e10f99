//! Reads JSON objects field by field, so that a client is told the first fault in the order its endpoint documents.

use std::{fmt, ops::RangeInclusive};

use serde_json::{Map, Value};

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fault {
    Missing,
    NotUuid,
    NotAccepted(String),
}

/// A fault in what a client sent, told as clients read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    field: String,
    fault: Fault,
}

impl Invalid {
    /// `field` is missing.
    pub fn required(field: impl Into<String>) -> Self {
        Self { field: field.into(), fault: Fault::Missing }
    }

    /// `field` holds something else than `accepted`, a clause such as `must be a string`.
    pub fn value(field: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self { field: field.into(), fault: Fault::NotAccepted(accepted.into()) }
    }

    /// `field` holds no UUID.
    pub fn uuid(field: impl Into<String>) -> Self {
        Self { field: field.into(), fault: Fault::NotUuid }
    }

    /// The same fault in an object that itself stands at `path`.
    #[must_use]
    pub fn under(mut self, path: &str) -> Self {
        if !path.is_empty() {
            self.field = format!("{path}.{}", self.field);
        }
        self
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            Fault::Missing => write!(f, "field required: {}", self.field),
            Fault::NotUuid => write!(f, "invalid UUID format: {}", self.field),
            Fault::NotAccepted(accepted) => write!(f, "{}: {accepted}", self.field),
        }
    }
}

impl std::error::Error for Invalid {}

type Read<T> = Result<T, Invalid>;

/// A JSON object that is being read. `null` counts as absent.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'v>(&'v Map<String, Value>);

impl<'v> Fields<'v> {
    /// Reads `value`, which has to be an object; `name` is what a fault calls it.
    pub fn of(value: &'v Value, name: &str) -> Read<Self> {
        value.as_object().map(Self).ok_or_else(|| Invalid::value(name, "must be an object"))
    }

    /// The field's value, unless absent.
    pub fn get(self, field: &str) -> Option<&'v Value> {
        self.0.get(field).filter(|value| !value.is_null())
    }

    /// Whether the field is there and null, which some changes take as "none any more".
    pub fn is_null(self, field: &str) -> bool {
        self.0.get(field).is_some_and(Value::is_null)
    }

    fn read<T>(self, field: &str, accepted: &str, read: impl Fn(&'v Value) -> Option<T>) -> Read<Option<T>> {
        self.get(field).map(|value| read(value).ok_or_else(|| Invalid::value(field, accepted))).transpose()
    }

    /// A string.
    pub fn string(self, field: &str) -> Read<Option<&'v str>> {
        self.read(field, "must be a string", Value::as_str)
    }

    /// A string that has to be there.
    pub fn required_string(self, field: &str) -> Read<&'v str> {
        self.string(field)?.ok_or_else(|| Invalid::required(field))
    }

    /// A name: 1 to `longest` characters, blanks around it removed.
    pub fn required_name(self, field: &str, longest: usize) -> Read<&'v str> {
        let name = self.required_string(field)?.trim();
        let length = name.chars().count();
        if (1..=longest).contains(&length) && !name.contains('\0') {
            Ok(name)
        } else {
            Err(Invalid::value(field, format!("must have 1 to {longest} characters")))
        }
    }

    /// A string of at most `longest` characters.
    pub fn short_string(self, field: &str, longest: usize) -> Read<Option<&'v str>> {
        match self.string(field)? {
            Some(text) if text.chars().count() > longest || text.contains('\0') => {
                Err(Invalid::value(field, format!("must have at most {longest} characters")))
            }
            text => Ok(text),
        }
    }

    /// A truth value.
    pub fn boolean(self, field: &str) -> Read<Option<bool>> {
        self.read(field, "must be true or false", Value::as_bool)
    }

    /// A whole number in `range`.
    pub fn integer(self, field: &str, range: RangeInclusive<i64>) -> Read<Option<i64>> {
        let accepted = format!("must be a whole number from {} to {}", range.start(), range.end());
        self.read(field, &accepted, |value| value.as_i64().filter(|number| range.contains(number)))
    }

    /// A number in the range.
    pub fn number(self, field: &str, range: RangeInclusive<f64>) -> Read<Option<f64>> {
        let accepted = format!("must be a number from {} to {}", range.start(), range.end());
        self.read(field, &accepted, |value| value.as_f64().filter(|number| range.contains(number)))
    }

    /// A number from 0 to 1.
    pub fn probability(self, field: &str) -> Read<Option<f32>> {
        self.read(field, "must be a number from 0 to 1", |value| {
            value.as_f64().filter(|number| (0.0..=1.0).contains(number)).map(|number| number as f32)
        })
    }

    /// One of the `choices`, case ignored.
    pub fn choice<T: Copy>(self, field: &str, choices: &[(&str, T)]) -> Read<Option<T>> {
        let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        self.read(field, &format!("must be one of {}", names.join(", ")), |value| {
            let written = value.as_str()?;
            choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(written)).map(|(_, choice)| *choice)
        })
    }

    /// An array of at most `most` items.
    pub fn array(self, field: &str, most: usize) -> Read<Option<&'v [Value]>> {
        let accepted = format!("must be an array of at most {most} items");
        self.read(field, &accepted, |value| {
            value.as_array().map(Vec::as_slice).filter(|items| items.len() <= most)
        })
    }

    /// An array of at most `most` strings, each of 1 to `longest` characters that are not all blank.
    pub fn strings(self, field: &str, most: usize, longest: usize) -> Read<Option<Vec<String>>> {
        let Some(items) = self.array(field, most)? else { return Ok(None) };
        let fault = |at| {
            Invalid::value(format!("{field}.{at}"), format!("must be a string of 1 to {longest} characters"))
        };
        let read = |(at, item): (usize, &Value)| match item.as_str() {
            Some(text) if !text.trim().is_empty() && text.chars().count() <= longest => Ok(text.to_owned()),
            _ => Err(fault(at)),
        };
        items.iter().enumerate().map(read).collect::<Read<_>>().map(Some)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn faults_read_like_the_specification() {
        let body =
            json!({"name": 3, "threshold": 1.5, "list": ["a", " "], "mode": "sideways", "blank": "  "});
        let fields = Fields::of(&body, "body").unwrap();
        let told = |fault: Invalid| fault.to_string();
        assert_eq!(told(fields.required_string("prompt").unwrap_err()), "field required: prompt");
        assert_eq!(told(fields.string("name").unwrap_err()), "name: must be a string");
        assert_eq!(
            told(fields.probability("threshold").unwrap_err()),
            "threshold: must be a number from 0 to 1"
        );
        assert_eq!(
            told(fields.strings("list", 5, 9).unwrap_err()),
            "list.1: must be a string of 1 to 9 characters"
        );
        assert_eq!(told(fields.choice("mode", &[("in", 1)]).unwrap_err()), "mode: must be one of in");
        assert_eq!(
            told(fields.required_name("blank", 100).unwrap_err()),
            "blank: must have 1 to 100 characters"
        );
        assert_eq!(told(Invalid::uuid("projectId").under("a.0")), "invalid UUID format: a.0.projectId");
    }

    #[test]
    fn null_counts_as_absent() {
        let body = json!({"name": null});
        assert_eq!(Fields::of(&body, "body").unwrap().string("name").unwrap(), None);
    }
}
