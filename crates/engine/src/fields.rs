//! Reads JSON objects field by field, so that a client gets the first error in the order that the endpoint documents.

use std::{fmt, ops::RangeInclusive};

use serde_json::{Map, Value};

/// Kind of a field error.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Missing,
    NotUuid,
    NotAccepted(String),
}

/// An error in a field of a request, formatted for clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    field: String,
    fault: Problem,
}

impl FieldError {
    /// Creates the error for a missing `field`.
    pub fn required(field: impl Into<String>) -> Self {
        Self { field: field.into(), fault: Problem::Missing }
    }

    /// Creates the error for a value outside `accepted`, a clause such as `must be a string`.
    pub fn value(field: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self { field: field.into(), fault: Problem::NotAccepted(accepted.into()) }
    }

    /// Creates the error for a value that is not a UUID.
    pub fn uuid(field: impl Into<String>) -> Self {
        Self { field: field.into(), fault: Problem::NotUuid }
    }

    /// Prefixes the field with the `path` of its object.
    #[must_use]
    pub fn under(mut self, path: &str) -> Self {
        if !path.is_empty() {
            self.field = format!("{path}.{}", self.field);
        }
        self
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            Problem::Missing => write!(f, "field required: {}", self.field),
            Problem::NotUuid => write!(f, "invalid UUID format: {}", self.field),
            Problem::NotAccepted(accepted) => write!(f, "{}: {accepted}", self.field),
        }
    }
}

impl std::error::Error for FieldError {}

type Read<T> = Result<T, FieldError>;

/// Reader of a JSON object. `null` counts as absent.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'v>(&'v Map<String, Value>);

impl<'v> Fields<'v> {
    /// Creates the reader of `value`, which must be an object. Errors call it `name`.
    pub fn of(value: &'v Value, name: &str) -> Read<Self> {
        value.as_object().map(Self).ok_or_else(|| FieldError::value(name, "must be an object"))
    }

    /// Returns the value of a field, unless absent.
    pub fn get(self, field: &str) -> Option<&'v Value> {
        self.0.get(field).filter(|value| !value.is_null())
    }

    /// Returns whether the field is present and null, which some updates use to remove a value.
    pub fn is_null(self, field: &str) -> bool {
        self.0.get(field).is_some_and(Value::is_null)
    }

    fn read<T>(self, field: &str, accepted: &str, read: impl Fn(&'v Value) -> Option<T>) -> Read<Option<T>> {
        self.get(field).map(|value| read(value).ok_or_else(|| FieldError::value(field, accepted))).transpose()
    }

    /// Reads a string.
    pub fn string(self, field: &str) -> Read<Option<&'v str>> {
        self.read(field, "must be a string", Value::as_str)
    }

    /// Reads a required string.
    pub fn required_string(self, field: &str) -> Read<&'v str> {
        self.string(field)?.ok_or_else(|| FieldError::required(field))
    }

    /// Reads a required text of 1 to `longest` characters, trimmed.
    pub fn required_text(self, field: &str, longest: usize) -> Read<&'v str> {
        let text = self.required_string(field)?.trim();
        let length = text.chars().count();
        if (1..=longest).contains(&length) && !text.contains('\0') {
            Ok(text)
        } else {
            Err(FieldError::value(field, format!("must have 1 to {longest} characters")))
        }
    }

    /// Reads a string of at most `longest` characters.
    pub fn short_string(self, field: &str, longest: usize) -> Read<Option<&'v str>> {
        match self.string(field)? {
            Some(text) if text.chars().count() > longest || text.contains('\0') => {
                Err(FieldError::value(field, format!("must have at most {longest} characters")))
            }
            text => Ok(text),
        }
    }

    /// Reads a boolean.
    pub fn boolean(self, field: &str) -> Read<Option<bool>> {
        self.read(field, "must be true or false", Value::as_bool)
    }

    /// Reads an integer in `range`.
    pub fn integer(self, field: &str, range: RangeInclusive<i64>) -> Read<Option<i64>> {
        let accepted = format!("must be a whole number from {} to {}", range.start(), range.end());
        self.read(field, &accepted, |value| value.as_i64().filter(|number| range.contains(number)))
    }

    /// Reads a number in `range`.
    pub fn number(self, field: &str, range: RangeInclusive<f64>) -> Read<Option<f64>> {
        let accepted = format!("must be a number from {} to {}", range.start(), range.end());
        self.read(field, &accepted, |value| value.as_f64().filter(|number| range.contains(number)))
    }

    /// Reads a number from 0 to 1.
    pub fn probability(self, field: &str) -> Read<Option<f32>> {
        self.read(field, "must be a number from 0 to 1", |value| {
            value.as_f64().filter(|number| (0.0..=1.0).contains(number)).map(|number| number as f32)
        })
    }

    /// Reads one of the `choices`, ignoring case.
    pub fn choice<T: Copy>(self, field: &str, choices: &[(&str, T)]) -> Read<Option<T>> {
        let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        self.read(field, &format!("must be one of {}", names.join(", ")), |value| {
            let written = value.as_str()?;
            choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(written)).map(|(_, choice)| *choice)
        })
    }

    /// Reads an array of at most `most` items.
    pub fn array(self, field: &str, most: usize) -> Read<Option<&'v [Value]>> {
        let accepted = format!("must be an array of at most {most} items");
        self.read(field, &accepted, |value| {
            value.as_array().map(Vec::as_slice).filter(|items| items.len() <= most)
        })
    }

    /// Reads an array of at most `most` strings of 1 to `longest` characters, none of them blank.
    pub fn strings(self, field: &str, most: usize, longest: usize) -> Read<Option<Vec<String>>> {
        let Some(items) = self.array(field, most)? else { return Ok(None) };
        let fault = |at| {
            FieldError::value(
                format!("{field}.{at}"),
                format!("must be a string of 1 to {longest} characters"),
            )
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
        let message = |fault: FieldError| fault.to_string();
        assert_eq!(message(fields.required_string("prompt").unwrap_err()), "field required: prompt");
        assert_eq!(message(fields.string("name").unwrap_err()), "name: must be a string");
        assert_eq!(
            message(fields.probability("threshold").unwrap_err()),
            "threshold: must be a number from 0 to 1"
        );
        assert_eq!(
            message(fields.strings("list", 5, 9).unwrap_err()),
            "list.1: must be a string of 1 to 9 characters"
        );
        assert_eq!(message(fields.choice("mode", &[("in", 1)]).unwrap_err()), "mode: must be one of in");
        assert_eq!(
            message(fields.required_text("blank", 100).unwrap_err()),
            "blank: must have 1 to 100 characters"
        );
        assert_eq!(message(FieldError::uuid("projectId").under("a.0")), "invalid UUID format: a.0.projectId");
    }

    #[test]
    fn null_counts_as_absent() {
        let body = json!({"name": null});
        assert_eq!(Fields::of(&body, "body").unwrap().string("name").unwrap(), None);
    }
}
