//! Forms of values: the parser and the JSON Schema both follow them.

use std::{borrow::Cow, ops::RangeInclusive, time::Duration};

use guardengine_custom_models::accepted_labels;

use super::value::LIMIT;

/// Form of a value.
#[derive(Debug)]
pub enum Form {
    /// Any text.
    Text,
    /// Path of a file or folder.
    Path,
    /// `true` or `false`.
    Boolean,
    /// Whole number in this range.
    Count(RangeInclusive<i64>),
    /// Duration in this range, such as `15m`.
    Duration(RangeInclusive<Duration>),
    /// Size of at least this many bytes, such as `2MiB`.
    Size(usize),
    /// Rate limit: `COUNT/WINDOW` or `off`.
    Limit,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Text of a shape of its own.
    Shaped(Shape),
    /// Values of this shape, separated by commas or in a TOML array.
    List(Shape),
    /// Guardrail of each label: `LABEL=GUARDRAIL` pairs separated by commas, or a TOML table.
    Labels,
}

/// Shape of a text.
#[derive(Debug)]
pub struct Shape {
    /// Accepted values, as a sentence that follows the refused value.
    pub accepted: &'static str,
    /// Regular expression that whole texts match, for editors. The parser may be stricter.
    pub pattern: &'static str,
}

impl Form {
    /// Returns the accepted values, as a sentence that follows the refused value.
    pub fn accepted(&self) -> Cow<'static, str> {
        match self {
            Self::Text | Self::Path => "must be a text".into(),
            Self::Boolean => "must be true or false".into(),
            Self::Count(range) => accepted_counts(range).into(),
            Self::Duration(range) => accepted_durations(range).into(),
            Self::Size(0..=1) => "must be a size, such as 2MiB".into(),
            Self::Size(min) => format!("must be a size of at least {}MiB", min >> 20).into(),
            Self::Limit => LIMIT.into(),
            Self::OneOf(words) => format!("must be {}", alternatives(words)).into(),
            Self::Shaped(shape) | Self::List(shape) => shape.accepted.into(),
            Self::Labels => accepted_labels().into(),
        }
    }

    /// Returns the name of the form in the documentation.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Text | Self::Shaped(_) => "text",
            Self::Path => "path",
            Self::Boolean => "true or false",
            Self::Count(_) => "number",
            Self::Duration(_) => "duration",
            Self::Size(_) => "size",
            Self::Limit => "limit",
            Self::OneOf(_) => "word",
            Self::List(_) => "list",
            Self::Labels => "labels",
        }
    }
}

fn accepted_counts(range: &RangeInclusive<i64>) -> String {
    match (range.start(), range.end()) {
        (min, max) if *max >= i64::from(u32::MAX) => format!("must be a whole number of at least {min}"),
        (min, max) => format!("must be a whole number from {min} to {max}"),
    }
}

fn accepted_durations(range: &RangeInclusive<Duration>) -> String {
    let (min, max) = (humantime::format_duration(*range.start()), humantime::format_duration(*range.end()));
    match range {
        range if *range.end() < Duration::MAX => format!("must be a duration of {min} to {max}"),
        range if range.start().is_zero() => "must be a duration, such as 500ms, 15m or 30d".to_owned(),
        _ => format!("must be a duration of at least {min}, such as 15m"),
    }
}

/// Joins words as in `a, b or c`.
fn alternatives(words: &[&str]) -> String {
    match words {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        few => few.join(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_values_name_the_range() {
        let duration = |min, max| Form::Duration(min..=max).accepted().into_owned();
        let second = Duration::from_secs(1);
        assert_eq!(duration(Duration::ZERO, Duration::MAX), "must be a duration, such as 500ms, 15m or 30d");
        assert_eq!(duration(second, Duration::MAX), "must be a duration of at least 1s, such as 15m");
        assert_eq!(duration(second, second * 60), "must be a duration of 1s to 1m");
        assert_eq!(Form::Size(256 << 20).accepted(), "must be a size of at least 256MiB");
        assert_eq!(Form::Count(1..=9).accepted(), "must be a whole number from 1 to 9");
        assert_eq!(Form::Count(0..=i64::MAX).accepted(), "must be a whole number of at least 0");
        assert_eq!(Form::OneOf(&["a", "b", "c"]).accepted(), "must be a, b or c");
    }
}
