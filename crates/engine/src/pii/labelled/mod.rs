//! One reader of labels with their values, for every notation and language.
//!
//! It looks for the label words of `labels.txt` in one pass, and reads from each to its value: pairs of JSON, YAML, TOML,
//! INI, environments, URL queries, connection strings and headers, options of commands, elements and attributes, name and
//! value side by side, sentences. The label nearest to a value decides what it is; the PII type decides whether it is one
//! ([`super::PiiType::labelled`]).

mod joint;
mod labels;
mod number;
mod siblings;
mod value;

pub use joint::Sign;
pub use labels::Kind;
pub(in crate::pii) use labels::{exact, is_remark, joined, spellings, sure_words, words};
pub(in crate::pii) use number::in_ascii;
pub use value::Value;

use crate::span::Span;
use labels::Label;

/// A value with its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The type that the label gives it.
    pub kind: Kind,
    /// The sign between them.
    pub sign: Sign,
    /// From the beginning of the key to the end of the label.
    pub key: Span,
    /// The value.
    pub value: Value,
    /// True if the label counts only with other evidence.
    pub is_weak: bool,
}

impl Field {
    /// Returns whether the key is that of a machine: an option (`--db-password`) or a constant
    /// (`DB_PASSWORD`, `PGPASSWORD=`).
    pub fn is_machine_key(&self, text: &str) -> bool {
        let key = self.key.of(text);
        let is_tight = text[self.key.end..].starts_with('=') && self.key.end + 1 == self.value.span.start;
        let is_constant = !key.contains(char::is_lowercase) && (is_tight || key.contains('_'));
        is_constant || key.starts_with("--") || text[..self.key.start].ends_with("--")
    }
}

/// Every label of `text` that has a value, from left to right.
pub(super) fn fields(text: &str) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    let mut all = labels::all(text).peekable();
    let mut done = 0;
    while let Some(label) = all.next() {
        let Some(field) = (label.span.start >= done).then(|| read(text, label)).flatten() else { continue };
        // Another label between decides; only behind a sign a value may begin like one.
        let from = field.value.span.start + usize::from(field.sign != Sign::Assigned);
        if all.peek().is_none_or(|next| next.span.start >= from) {
            done = if field.sign == Sign::Assigned { field.value.span.end } else { done };
            fields.push(field);
        }
    }
    fields
}

/// Returns the locations of labels in `text`, with or without a value.
pub(super) fn label_spans(text: &str) -> impl Iterator<Item = Span> {
    labels::all(text).map(|label| label.span)
}

fn read(text: &str, label: Label) -> Option<Field> {
    let (end, is_stated) = joint::label_end(text, label)?;
    let start = joint::key_start(text, label.span);
    let field = |sign, value| Field {
        kind: label.kind,
        sign,
        key: Span::new(start, label.span.end),
        value,
        is_weak: label.is_weak,
    };
    if is_number(label.kind) {
        return number::read(text, end).map(|value| field(Sign::Assigned, value));
    }
    let joint = siblings::read(text, start, end).or_else(|| joint::read(text, start, end));
    let Some(joint) = joint else {
        let value = is_stated.then(|| value::read(text, end, None)).flatten()?;
        return Some(field(Sign::Stated, value));
    };
    let sign = if is_stated && joint.sign == Sign::Beside { Sign::Stated } else { joint.sign };
    let value = if joint.is_element {
        value::element(text, joint.value)
    } else {
        value::read(text, joint.value, text[..start].chars().next_back())
    };
    value.map(|value| field(sign, value))
}

const fn is_number(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::BankAccount
            | Kind::Passport
            | Kind::DriverLicense
            | Kind::MedicalRecord
            | Kind::Phone
            | Kind::TaxId
            | Kind::BirthDate
    )
}

#[cfg(test)]
mod tests;
