//! Detects an organization's own patterns.
//!
//! # What it looks for
//! The policy's `patterns`: regular expressions in the syntax of Rust's `regex` crate, matched in every view.
//!
//! # Why it matters
//! Order numbers, code names and formats that only the organization knows.
//!
//! # Triggers
//! With the pattern `EMP-\d{6}`: `Who is EMP-004711?`
//!
//! # Does not trigger
//! With the same pattern: `Who is the employee of the month?`
//!
//! Tenants write these patterns, so the work is bounded: one pass over each view finds the patterns that may occur
//! ([`PatternSet`]), and only those are located, within a multiple of the view's length. A pattern that matches the
//! empty text is refused; in a policy from before that rule its empty matches are left out.

use super::{Detector, Inspector};
use crate::{
    deadline::Deadline,
    evidence::{Evidence, Part},
    fields::FieldError,
    finding::Finding,
    guardrail::{Action, Group, Guardrail},
    patterns::{self, NamedPattern, PatternSet},
    rules::with_encoding,
    settings::{Default, Field, FieldKind, Kind, Record, Setting, Settings},
    sources::Sources,
    text::View,
};

/// Maximum number of patterns of a policy.
const MAX_PATTERNS: usize = 100;
/// Findings of one request.
const MOST_FINDINGS: usize = 1_000;
/// Bytes that may be read to locate matches in a view, for each byte of it.
const READ_PER_BYTE: usize = 8;
/// Bytes that may be read besides, so that short texts are located completely.
const READ_AT_LEAST: usize = 1 << 18;

const PATTERNS: Setting = Setting {
    name: "patterns",
    kind: Kind::Records {
        max_items: MAX_PATTERNS,
        record: &Record {
            name: "Pattern",
            help: "A named pattern.",
            fields: &[
                Field {
                    name: "name",
                    kind: FieldKind::Name(100),
                    is_required: true,
                    help: "Name of the finding.",
                },
                Field {
                    name: "pattern",
                    kind: FieldKind::Text,
                    is_required: true,
                    help: "Regular expression in the syntax of the Rust `regex` crate. Must not match the empty text.",
                },
            ],
            computed: &[],
        },
    },
    default: Default::Empty,
    help: "named patterns.",
    is_drafted: true,
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "custom_regex",
    group: Group::CustomControls,
    description: "Patterns that the organization writes itself.",
    default_threshold: 0.5,
    default_action: Action::Block,
    settings: &[PATTERNS],
    masks: None,
    attacks_model: false,
    in_default_policy: false,
    triggers: "",
    passes: "Who is the employee of the month?",
};

/// The guardrail.
pub struct CustomRegex;

impl Detector for CustomRegex {
    fn guardrail(&self) -> &'static Guardrail {
        &GUARDRAIL
    }

    fn parse(&self, settings: &Settings) -> Result<Box<dyn Inspector>, FieldError> {
        Ok(Box::new(Patterns::new(each(settings, NamedPattern::new)?)?))
    }

    fn check(&self, settings: &Settings) -> Result<(), FieldError> {
        each(settings, |_, pattern| patterns::check(pattern)).map(|_| ())
    }
}

/// Calls `read` with the name and the text of each pattern.
fn each<T>(
    settings: &Settings,
    read: impl Fn(&str, &str) -> Result<T, FieldError>,
) -> Result<Vec<T>, FieldError> {
    let patterns = settings.records(PATTERNS.name);
    if patterns.len() > MAX_PATTERNS {
        return Err(FieldError::value(PATTERNS.name, format!("at most {MAX_PATTERNS} patterns")));
    }
    let read = |(index, pattern): (usize, &serde_json::Value)| {
        let text = |field: &str| pattern[field].as_str().unwrap_or_default();
        read(text("name"), text("pattern"))
            .map_err(|error| error.under(&format!("{}.{index}", PATTERNS.name)))
    };
    patterns.iter().enumerate().map(read).collect()
}

struct Patterns {
    named: Vec<NamedPattern>,
    set: PatternSet,
}

impl Patterns {
    fn new(named: Vec<NamedPattern>) -> Result<Self, FieldError> {
        let hirs: Vec<_> = named.iter().map(|named| named.hir.clone()).collect();
        let too_large = || FieldError::value(PATTERNS.name, "compile too large together");
        Ok(Self { set: PatternSet::new(&hirs).ok_or_else(too_large)?, named })
    }

    /// Adds the findings in every view of `part`, and returns the bytes that were read for them.
    fn find(
        &self,
        index: usize,
        part: &Part<'_>,
        deadline: &Deadline,
        findings: &mut Vec<Finding>,
        end: usize,
    ) -> usize {
        part.text.views().iter().map(|view| self.find_in(view, index, deadline, findings, end)).sum()
    }

    fn find_in(
        &self,
        view: &View<'_>,
        part: usize,
        deadline: &Deadline,
        findings: &mut Vec<Finding>,
        end: usize,
    ) -> usize {
        let candidates = self.set.candidates(&view.text, deadline);
        let budget = READ_AT_LEAST + READ_PER_BYTE * view.text.len();
        let share = MOST_FINDINGS / candidates.len().max(1);
        let mut read = 0;
        for named in candidates.iter().map(|index| &self.named[*index]) {
            if deadline.is_over() || findings.len() >= end {
                break;
            }
            let mut add = |span| {
                let evidence = with_encoding(named.name.clone(), &view.transforms);
                findings.push(Finding { confidence: 1.0, part, span, evidence, is_learned: false });
            };
            if read > budget && !named.has_word_boundaries() {
                add(None);
                continue;
            }
            let (spans, more) = named.find(&view.text, share.max(1), deadline);
            for span in spans {
                add(Some(view.original(span)));
            }
            read += more;
        }
        view.text.len() + read
    }
}

impl Inspector for Patterns {
    fn inspect(&self, evidence: &Evidence<'_>, sources: Sources, findings: &mut Vec<Finding>) {
        let end = findings.len() + MOST_FINDINGS;
        for (index, part) in evidence.evaluated_from(sources) {
            self.find(index, part, &evidence.deadline, findings, end);
        }
    }

    fn memory_usage(&self) -> usize {
        self.set.memory_usage() + self.named.iter().map(NamedPattern::memory_usage).sum::<usize>()
    }
}

#[cfg(test)]
mod tests;
