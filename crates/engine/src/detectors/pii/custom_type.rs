//! PII types that a policy defines.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    fields::FieldError,
    patterns,
    pii::{Checksum, CustomType, types::pii_type},
    settings::{Default, Field, FieldKind, Kind, Record, Setting, Settings},
};

/// Custom types of a policy.
const MAX_TYPES: usize = 20;
/// Characters in a name.
const LONGEST_NAME: usize = 40;

const CHECKSUMS: [(&str, &str); Checksum::ALL.len()] = {
    let mut names = [("", ""); Checksum::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = (Checksum::ALL[at].0, Checksum::ALL[at].0);
        at += 1;
    }
    names
};

pub const CUSTOM_TYPES: Setting = Setting {
    name: "custom_pii",
    kind: Kind::Records {
        max_items: MAX_TYPES,
        record: &Record {
            name: "CustomPiiType",
            help: "A PII type of the organization. It is found and masked whatever `pii_kinds` selects.",
            fields: &[
                Field {
                    name: "name",
                    kind: FieldKind::Name(LONGEST_NAME),
                    is_required: true,
                    help: "Name in results and markers: a lower-case letter, then lower-case letters, digits and underscores. No built-in type has it.",
                },
                Field {
                    name: "pattern",
                    kind: FieldKind::Text,
                    is_required: true,
                    help: "Regular expression for a value, in the syntax of the Rust `regex` crate. Must not match the empty text.",
                },
                Field {
                    name: "labels",
                    kind: FieldKind::Texts { min_items: 0, max_items: 20, max_chars: 60 },
                    is_required: false,
                    help: "Words of which one must be near a value: at most 60 characters before it or 30 after it, or in the heading of its column. Without any, every match is a value.",
                },
                Field {
                    name: "checksum",
                    kind: FieldKind::Choice(&CHECKSUMS),
                    is_required: false,
                    help: "Checksum that the letters and digits of a value must have.",
                },
            ],
            computed: &[],
        },
    },
    default: Default::Empty,
    help: "PII types of your own: pattern, label words and checksum.",
    is_drafted: false,
};

/// Compiles the custom types of a policy.
pub fn read(settings: &Settings) -> Result<Vec<Arc<CustomType>>, FieldError> {
    each(settings, |_, custom| {
        let text = |field: &str| custom[field].as_str();
        let labels = custom["labels"].as_array().map_or(&[][..], Vec::as_slice);
        let labels = labels.iter().filter_map(Value::as_str).map(|label| label.trim().to_owned());
        let checksum = text("checksum").and_then(Checksum::named);
        let (name, pattern) = (text("name").unwrap_or_default(), text("pattern").unwrap_or_default());
        CustomType::new(name, pattern, labels.collect(), checksum).map(Arc::new)
    })
}

/// Checks the custom types of a new or changed policy: their names, and that no pattern matches the empty text.
pub fn check(settings: &Settings) -> Result<(), FieldError> {
    let written = settings.records(CUSTOM_TYPES.name);
    each(settings, |at, custom| {
        let name = custom["name"].as_str().unwrap_or_default();
        let accepted = if !is_identifier(name) {
            Some("must be lower-case letters, digits and underscores, and begin with a letter")
        } else if pii_type(name).is_some() {
            Some("must not be a built-in PII type")
        } else if written[..at].iter().any(|before| before["name"] == name) {
            Some("must not be the name of another type")
        } else {
            None
        };
        accepted.map_or(Ok(()), |accepted| Err(FieldError::value("name", accepted)))?;
        patterns::check(custom["pattern"].as_str().unwrap_or_default())
    })
    .map(|_| ())
}

fn is_identifier(name: &str) -> bool {
    let is_part = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(is_part)
}

/// Calls `read` with each custom type and its index.
fn each<T>(
    settings: &Settings,
    read: impl Fn(usize, &Value) -> Result<T, FieldError>,
) -> Result<Vec<T>, FieldError> {
    let one = |(at, custom): (usize, &Value)| {
        read(at, custom).map_err(|error| error.under(&format!("{}.{at}", CUSTOM_TYPES.name)))
    };
    settings.records(CUSTOM_TYPES.name).iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests;
