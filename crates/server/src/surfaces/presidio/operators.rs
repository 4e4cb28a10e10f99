//! The operators of the anonymizer.

use guardengine_engine::fields::{FieldError, Fields};
use serde_json::Value;
use sha2::{Digest as _, Sha256, Sha512};

use super::cipher::Key;

/// Longest text that replaces a value.
const MAX_REPLACEMENT: usize = 1_000;
/// Least and greatest length of a salt, in bytes.
const SALT: std::ops::RangeInclusive<usize> = 16..=1_000;

/// A way to replace a value.
pub enum Operator {
    /// Another text; by default the entity in angle brackets.
    Replace(Option<String>),
    /// Nothing is left.
    Redact,
    /// Characters hide some of the value.
    Mask { with: Option<char>, count: usize, from_end: bool },
    /// A salted hash. Without a salt, each value gets a random one.
    Hash { is_long: bool, salt: Option<String> },
    /// AES-CBC under the caller's key.
    Encrypt(Key),
    /// The value stays.
    Keep,
}

/// Makes an operator from its parameters.
type Read = fn(Fields<'_>) -> Result<Operator, FieldError>;

impl Operator {
    /// Names of all operators.
    pub const NAMES: [&'static str; 6] = ["replace", "redact", "mask", "hash", "encrypt", "keep"];

    /// Reads an operator: its `type` and its parameters.
    pub fn read(value: &Value) -> Result<Self, FieldError> {
        let fields = Fields::of(value, "type").map_err(|_| FieldError::required("type"))?;
        let reads: [Read; 6] = [
            |fields| Ok(Self::Replace(fields.short_string("new_value", MAX_REPLACEMENT)?.map(str::to_owned))),
            |_| Ok(Self::Redact),
            mask,
            hash,
            |fields| Ok(Self::Encrypt(Key::read(fields)?)),
            |_| Ok(Self::Keep),
        ];
        let choices: Vec<_> = Self::NAMES.into_iter().zip(reads).collect();
        fields.choice("type", &choices)?.ok_or_else(|| FieldError::required("type"))?(fields)
    }

    /// Returns its name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Replace(_) => "replace",
            Self::Redact => "redact",
            Self::Mask { .. } => "mask",
            Self::Hash { .. } => "hash",
            Self::Encrypt(_) => "encrypt",
            Self::Keep => "keep",
        }
    }

    /// Returns what stands in place of a value.
    pub fn apply(&self, value: &str, entity_type: &str) -> String {
        match self {
            Self::Replace(Some(text)) => text.clone(),
            Self::Replace(None) => format!("<{entity_type}>"),
            Self::Redact => String::new(),
            Self::Mask { with, count, from_end } => masked(value, *with, *count, *from_end),
            Self::Hash { is_long, salt } => hashed(value, *is_long, salt.as_deref()),
            Self::Encrypt(key) => key.encrypt(value),
            Self::Keep => value.to_owned(),
        }
    }
}

fn mask(fields: Fields<'_>) -> Result<Operator, FieldError> {
    let with = fields.required_string("masking_char")?;
    let mut letters = with.chars();
    let with = letters.next();
    if letters.next().is_some() {
        return Err(FieldError::value("masking_char", "must be one character"));
    }
    let count = fields.integer("chars_to_mask", i64::MIN..=i64::MAX)?;
    let count = count.ok_or_else(|| FieldError::required("chars_to_mask"))?;
    let from_end = fields.boolean("from_end")?.ok_or_else(|| FieldError::required("from_end"))?;
    Ok(Operator::Mask { with, count: usize::try_from(count).unwrap_or(0), from_end })
}

fn hash(fields: Fields<'_>) -> Result<Operator, FieldError> {
    let is_long = fields.choice("hash_type", &[("sha256", false), ("sha512", true)])?.unwrap_or(false);
    let salt = fields.string("salt")?.map(str::to_owned);
    if salt.as_ref().is_some_and(|salt| !SALT.contains(&salt.len())) {
        let accepted = format!("must have {} to {} bytes", SALT.start(), SALT.end());
        return Err(FieldError::value("salt", accepted));
    }
    Ok(Operator::Hash { is_long, salt })
}

fn masked(value: &str, with: Option<char>, count: usize, from_end: bool) -> String {
    let length = value.chars().count();
    let count = count.min(length);
    let hidden = with.map(|with| with.to_string().repeat(count)).unwrap_or_default();
    if from_end {
        value.chars().take(length - count).chain(hidden.chars()).collect()
    } else {
        hidden.chars().chain(value.chars().skip(count)).collect()
    }
}

fn hashed(value: &str, is_long: bool, salt: Option<&str>) -> String {
    let random: [u8; 32] = rand::random();
    let salted = [value.as_bytes(), salt.map_or(&random[..], str::as_bytes)].concat();
    if is_long { hex(&Sha512::digest(salted)) } else { hex(&Sha256::digest(salted)) }
}

fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn applied(operator: &Value, value: &str) -> Result<String, String> {
        let operator = Operator::read(operator).map_err(|error| error.to_string())?;
        Ok(operator.apply(value, "PERSON"))
    }

    #[test]
    fn values_are_replaced_as_the_operator_says() {
        let mask = |count: i64, from_end: bool| json!({ "type": "mask", "masking_char": "*", "chars_to_mask": count, "from_end": from_end });
        for (operator, expected) in [
            (json!({ "type": "replace" }), "<PERSON>"),
            (json!({ "type": "replace", "new_value": "X" }), "X"),
            (json!({ "type": "redact" }), ""),
            (json!({ "type": "keep" }), "Zoë 12"),
            (mask(2, false), "**ë 12"),
            (mask(2, true), "Zoë **"),
            (mask(99, true), "******"),
            (mask(-1, true), "Zoë 12"),
        ] {
            assert_eq!(applied(&operator, "Zoë 12").unwrap(), expected, "{operator}");
        }
    }

    /// Computed with Python's hashlib, as Presidio does.
    #[test]
    fn hashes_are_salted() {
        let salted = json!({ "type": "hash", "salt": "0123456789abcdef" });
        let expected = "db980f315912fe94eb31ba255cc690fe359a944f6a083d4f7c37090f4a53e885";
        assert_eq!(applied(&salted, "Jane").unwrap(), expected);
        let random = json!({ "type": "hash", "hash_type": "sha512" });
        let (one, other) = (applied(&random, "Jane").unwrap(), applied(&random, "Jane").unwrap());
        assert!(one.len() == 128 && one != other);
    }

    #[test]
    fn invalid_parameters_are_named() {
        for (operator, message) in [
            (json!({ "type": "custom" }), "type: must be one of replace, redact, mask, hash, encrypt, keep"),
            (json!({}), "field required: type"),
            (json!({ "type": "mask" }), "field required: masking_char"),
            (json!({ "type": "mask", "masking_char": "ab" }), "masking_char: must be one character"),
            (json!({ "type": "hash", "salt": "short" }), "salt: must have 16 to 1000 bytes"),
            (json!({ "type": "encrypt", "key": "short" }), "key: must have 16, 24 or 32 bytes"),
        ] {
            assert_eq!(applied(&operator, "Jane"), Err(message.to_owned()), "{operator}");
        }
    }
}
