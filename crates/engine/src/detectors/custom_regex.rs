//! Detects an organization's own patterns.
//!
//! # What it looks for
//! The policy's `patterns`: regular expressions in the syntax of Rust's `regex` crate, matched in every view.
//!
//! # Why it matters
//! Order numbers, code names and formats that only the organisation knows.
//!
//! # Triggers
//! With the pattern `EMP-\d{6}`: `Who is EMP-004711?`
//!
//! # Does not trigger
//! With the same pattern: `Who is the employee of the month?`
//!
//! Tenants write these patterns, so they run in an engine of linear time, and compile within [`SIZE_LIMIT`].

use regex::{Regex, RegexBuilder};

use super::{Detector, Inspector};
use crate::{
    evidence::{Evidence, Part},
    fields::FieldError,
    finding::Finding,
    guardrail::{Action, Group, Guardrail},
    rules::with_encoding,
    settings::{Default, Field, Kind, Record, Setting, Settings},
    sources::Sources,
};

/// Bytes that one compiled pattern may take, and its cache as much again.
const SIZE_LIMIT: usize = 1 << 20;
/// Characters in a pattern.
const LONGEST: usize = 2_000;
/// Maximum number of patterns of a policy.
const MAX_PATTERNS: usize = 100;
/// Groups within groups.
const DEEPEST: u32 = 50;
/// Findings of one request.
const MOST_FINDINGS: usize = 1_000;

const PATTERNS: Setting = Setting {
    name: "patterns",
    kind: Kind::Records {
        max_items: MAX_PATTERNS,
        record: &Record {
            name: "Pattern",
            help: "A named pattern.",
            fields: &[
                Field { name: "name", max_chars: Some(100), help: "Name of the finding." },
                Field {
                    name: "pattern",
                    max_chars: None,
                    help: "Regular expression in the syntax of the Rust `regex` crate.",
                },
            ],
        },
    },
    default: Default::Empty,
    help: "named patterns.",
    is_drafted: true,
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "custom_regex",
    group: Group::CustomControls,
    description: "Patterns that the organisation writes itself.",
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
        let patterns = settings.records(PATTERNS.name);
        if patterns.len() > MAX_PATTERNS {
            return Err(FieldError::value(PATTERNS.name, format!("at most {MAX_PATTERNS} patterns")));
        }
        let named = patterns.iter().enumerate().map(|(index, pattern)| {
            let text = |field: &str| pattern[field].as_str().unwrap_or_default();
            named(text("name"), text("pattern"))
                .map_err(|error| error.under(&format!("{}.{index}", PATTERNS.name)))
        });
        Ok(Box::new(Patterns { named: named.collect::<Result<_, _>>()? }))
    }
}

struct Named {
    name: String,
    regex: Regex,
}

fn named(name: &str, pattern: &str) -> Result<Named, FieldError> {
    if name.trim().is_empty() {
        return Err(FieldError::value("name", "a name that is not empty"));
    }
    let length = pattern.chars().count();
    if length == 0 || length > LONGEST {
        return Err(FieldError::value(
            "pattern",
            format!("a regular expression of 1 to {LONGEST} characters"),
        ));
    }
    let regex = RegexBuilder::new(pattern)
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(SIZE_LIMIT)
        .nest_limit(DEEPEST)
        .build();
    let regex = regex.map_err(|error| FieldError::value("pattern", syntax_error(pattern, &error)))?;
    Ok(Named { name: name.trim().to_owned(), regex })
}

/// Describes the error in `pattern` and its position in characters, counted from 0.
fn syntax_error(pattern: &str, error: &regex::Error) -> String {
    let located = |what: String, byte: usize| {
        let position = pattern.get(..byte).map_or(byte, |before| before.chars().count());
        format!("{what} at position {position}")
    };
    match regex_syntax::ParserBuilder::new().nest_limit(DEEPEST).build().parse(pattern) {
        Err(regex_syntax::Error::Parse(fault)) => {
            located(fault.kind().to_string(), fault.span().start.offset)
        }
        Err(regex_syntax::Error::Translate(fault)) => {
            located(fault.kind().to_string(), fault.span().start.offset)
        }
        _ if matches!(error, regex::Error::CompiledTooBig(_)) => {
            located("pattern compiles too large".into(), 0)
        }
        _ => located(error.to_string(), 0),
    }
}

struct Patterns {
    named: Vec<Named>,
}

impl Patterns {
    fn find(&self, index: usize, part: &Part<'_>, findings: &mut Vec<Finding>, end: usize) {
        for named in &self.named {
            for view in part.text.views() {
                let first = findings.len();
                let matches = named.regex.find_iter(&view.text).filter(|found| !found.is_empty());
                for found in matches.take(end.saturating_sub(first)) {
                    let span = view.original(crate::span::Span::new(found.start(), found.end()));
                    let evidence = with_encoding(named.name.clone(), &view.transforms);
                    let (confidence, span) = (1.0, Some(span));
                    findings.push(Finding { confidence, part: index, span, evidence, is_learned: false });
                }
            }
        }
    }
}

impl Inspector for Patterns {
    fn inspect(&self, evidence: &Evidence<'_>, sources: Sources, findings: &mut Vec<Finding>) {
        let end = findings.len() + MOST_FINDINGS;
        for (index, part) in evidence.evaluated_from(sources) {
            self.find(index, part, findings, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(pattern: &str) -> Result<Named, FieldError> {
        named("badge", pattern)
    }

    fn findings(pattern: &str, text: &str) -> Vec<Finding> {
        let part = Part::new(crate::evidence::Origin::Subject, crate::text::Text::new(text));
        let mut findings = Vec::new();
        let patterns = Patterns { named: vec![compile(pattern).unwrap()] };
        patterns.find(0, &part, &mut findings, MOST_FINDINGS);
        findings
    }

    fn refused(pattern: &str) -> String {
        compile(pattern).err().map(|fault| fault.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_match_is_named_by_its_pattern() {
        let found = findings(r"EMP-\d{6}", "Who is EMP-004711?");
        assert_eq!(found.len(), 1);
        assert_eq!((&*found[0].evidence, found[0].span), ("badge", Some(crate::span::Span::new(7, 17))));
    }

    #[test]
    fn a_fault_is_told_with_its_position_in_characters() {
        assert_eq!(refused("ab("), "pattern: unclosed group at position 2");
        assert_eq!(refused("é["), "pattern: unclosed character class at position 1");
        assert!(refused(r"a\p{Nonsense}").ends_with("at position 1"));
    }

    #[test]
    fn look_around_and_back_references_are_refused() {
        assert!(refused("(?=a)").contains("look-around"));
        assert!(refused(r"(a)\1").contains("backreferences are not supported"));
    }

    #[test]
    fn a_pattern_that_compiles_too_large_is_refused() {
        assert_eq!(refused(r"(\w{100}){100}"), "pattern: pattern compiles too large at position 0");
    }

    #[test]
    fn too_deep_empty_and_overlong_patterns_are_refused() {
        assert!(refused(&format!("{}a{}", "(".repeat(60), ")".repeat(60))).contains("position"));
        assert!(!refused("").is_empty());
        assert!(!refused(&"a".repeat(LONGEST + 1)).is_empty());
    }

    #[test]
    fn a_pattern_needs_a_name() {
        assert_eq!(named(" ", "a").err().map(|fault| fault.to_string().starts_with("name")), Some(true));
    }

    #[test]
    fn empty_matches_are_skipped_and_floods_are_cut() {
        assert_eq!(findings("x*", "abc"), []);
        assert_eq!(findings("a", &"a".repeat(5_000)).len(), MOST_FINDINGS);
    }
}
