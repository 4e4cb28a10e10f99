//! Helpers for the tests of PII types.

use super::{Candidate, Certainty, PiiType};
use crate::span::Span;

// What `kind` says about `written`, when it takes values of that length at all.
pub(crate) fn checked(kind: &dyn PiiType, written: &str) -> Option<Certainty> {
    let compact: String = written.chars().filter(char::is_ascii_alphanumeric).collect();
    let compact = compact.to_ascii_uppercase();
    kind.compact_length()?.contains(&compact.len()).then_some(())?;
    kind.check(&Candidate { span: Span::new(0, written.len()), written, compact: &compact, is_joined: false })
}

pub(crate) fn all_are(kind: &dyn PiiType, values: &[&str]) {
    for value in values {
        assert!(checked(kind, value).is_some(), "{value} is {}", kind.name());
    }
}

pub(crate) fn none_is(kind: &dyn PiiType, values: &[&str]) {
    for value in values {
        assert!(checked(kind, value).is_none(), "{value} is no {}", kind.name());
    }
}

pub(crate) fn stand_alone(kind: &dyn PiiType, values: &[&str]) {
    for value in values {
        assert!(matches!(checked(kind, value), Some(Certainty::Distinctive(_))), "{value} needs no context");
    }
}

pub(crate) fn need_context(kind: &dyn PiiType, values: &[&str]) {
    for value in values {
        assert!(matches!(checked(kind, value), Some(Certainty::WithContext(_))), "{value} needs context");
    }
}

/// Replacements that keep the form of `example` and have any other letters and digits in it.
pub(crate) fn any_like(example: &'static str) -> impl proptest::strategy::Strategy<Value = String> {
    let classes: String = example
        .chars()
        .map(|c| match c {
            '0'..='9' => "[0-9]".to_owned(),
            'A'..='Z' => "[A-Z]".to_owned(),
            separator => format!("[{separator}]"),
        })
        .collect();
    proptest::string::string_regex(&classes).expect("a pattern of classes")
}
