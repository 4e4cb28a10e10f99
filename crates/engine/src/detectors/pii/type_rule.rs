//! The settings of one PII type in a policy: a threshold and a strategy of its own, and values that are let through.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use serde_json::Value;

use crate::{
    fields::FieldError,
    guardrail::Direction,
    pii::{CustomType, Entity, mask::Strategy},
    settings::{Default, Field, FieldKind, Kind, Record, Setting},
};

/// Rules of a policy.
const MAX_RULES: usize = 200;
/// Bytes that one compiled pattern may take.
const PATTERN_SIZE: usize = 1 << 18;

const DIRECTIONS: [(&str, &str); 2] = [("input", "input"), ("output", "output")];

pub const TYPE_RULES: Setting = Setting {
    name: "pii_types",
    kind: Kind::Records {
        max_items: MAX_RULES,
        record: &Record {
            name: "PiiType",
            help: "Settings of one PII type. The last rule for a type wins, one for a direction over one for both.",
            fields: &[
                Field {
                    name: "type",
                    kind: FieldKind::Name(100),
                    is_required: true,
                    help: "The PII type, built in or of `custom_pii`.",
                },
                Field {
                    name: "direction",
                    kind: FieldKind::Choice(&DIRECTIONS),
                    is_required: false,
                    help: "Prompts (`input`) or responses (`output`); both if absent.",
                },
                Field {
                    name: "threshold",
                    kind: FieldKind::Probability,
                    is_required: false,
                    help: "Confidence from which it counts; that of the guardrail if absent.",
                },
                Field {
                    name: "strategy",
                    kind: FieldKind::Choice(&Strategy::NAMES),
                    is_required: false,
                    help: "Masking strategy; that of the guardrail if absent.",
                },
                Field {
                    name: "allow",
                    kind: FieldKind::Texts { min_items: 0, max_items: 200, max_chars: 1_000 },
                    is_required: false,
                    help: "Values that are let through, whatever their case. `/…/` is a regular expression for the whole value.",
                },
            ],
            computed: &[],
        },
    },
    default: Default::Empty,
    help: "threshold, strategy and allowed values by PII type.",
    is_drafted: false,
};

/// The settings of one PII type in one direction, or in both.
#[derive(Debug)]
pub struct TypeRule {
    kind: String,
    direction: Option<Direction>,
    pub threshold: Option<f32>,
    pub strategy: Option<Strategy>,
    allowed: Vec<Allowed>,
}

/// A value that is let through.
#[derive(Debug)]
enum Allowed {
    /// In lower case.
    Value(String),
    Pattern(Regex),
}

impl TypeRule {
    /// Reads a rule, as [`TYPE_RULES`] declares it, about a built-in or one of these types.
    pub fn read(rule: &Value, custom: &[Arc<CustomType>]) -> Result<Self, FieldError> {
        let text = |field: &str| rule[field].as_str();
        let kind = text("type").unwrap_or_default().to_owned();
        super::check_type(&kind, custom).map_err(|accepted| FieldError::value("type", accepted))?;
        let allowed = rule["allow"].as_array().map_or(&[][..], Vec::as_slice);
        Ok(Self {
            kind,
            direction: text("direction").map(|name| match name {
                "output" => Direction::Output,
                _ => Direction::Input,
            }),
            threshold: rule["threshold"].as_f64().map(|threshold| threshold as f32),
            strategy: text("strategy").and_then(Strategy::named),
            allowed: allowed.iter().enumerate().map(Allowed::read).collect::<Result<_, _>>()?,
        })
    }

    /// Returns whether it is about this type in this direction.
    pub fn is_about(&self, kind: &str, direction: Direction) -> bool {
        self.kind == kind && self.direction.is_none_or(|own| own == direction)
    }

    /// Returns the PII type.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Returns whether it is about one direction only.
    pub const fn is_directed(&self) -> bool {
        self.direction.is_some()
    }

    /// Returns whether it lets this value through.
    pub fn allows(&self, found: &Entity) -> bool {
        let value = found.value.trim();
        let lower = if self.allowed.is_empty() { String::new() } else { value.to_lowercase() };
        self.allowed.iter().any(|allowed| match allowed {
            Allowed::Value(allowed) => *allowed == lower,
            Allowed::Pattern(pattern) => pattern.is_match(value),
        })
    }

    /// Returns the bytes that it takes.
    pub fn memory_usage(&self) -> usize {
        let allowed = |one: &Allowed| match one {
            Allowed::Value(value) => value.len(),
            Allowed::Pattern(_) => PATTERN_SIZE,
        };
        size_of::<Self>() + self.kind.len() + self.allowed.iter().map(allowed).sum::<usize>()
    }
}

impl Allowed {
    fn read((index, written): (usize, &Value)) -> Result<Self, FieldError> {
        let written = written.as_str().unwrap_or_default().trim();
        let pattern = written.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        let Some(pattern) = pattern.filter(|pattern| !pattern.is_empty()) else {
            return Ok(Self::Value(written.to_lowercase()));
        };
        let whole = RegexBuilder::new(&format!("^(?:{pattern})$")).size_limit(PATTERN_SIZE).build();
        let accepted = "must be a regular expression between its slashes, and not too large";
        whole.map(Self::Pattern).map_err(|_| FieldError::value(format!("allow.{index}"), accepted))
    }
}
