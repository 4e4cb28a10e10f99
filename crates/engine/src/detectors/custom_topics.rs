//! Detects an organization's own topics.
//!
//! # What it looks for
//! The policy's `topics`, each defined by examples: windows whose sentence vector lies in the direction of the examples.
//!
//! # Why it matters
//! An assistant for one purpose should not plan holidays or give legal advice, and nobody can list every wording of that.
//!
//! # Triggers
//! With a topic of requests for holiday plans in English: `Could you put together a week on the Algarve for us?`
//!
//! # Does not trigger
//! With the same topic: `Which bank holidays fall on a Monday this year?`
//!
//! A topic is known in the languages of its examples only. Heads are fitted when the policy is compiled ([`Topics::fit`]).
//! Without heads, or without vectors of a text, every text counts as found: nothing may be allowed unread.

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde_json::Value;

use super::{Detector, Inspector};
use crate::{
    evidence::{Evidence, Part},
    fields::FieldError,
    finding::Finding,
    guardrail::{Action, Group, Guardrail},
    rules::with_encoding,
    scores::WindowVector,
    settings::{Default, Field, FieldKind, Kind, Record, Setting, Settings},
    sources::Sources,
    text::Text,
    topics::{Topic, Topics},
};

/// Shortest example, in characters.
const SHORTEST_EXAMPLE: usize = 3;
/// Longest example, in characters.
const LONGEST_EXAMPLE: usize = 2_000;
/// Characters of all examples of a policy. They bound the time in which it is fitted.
const MOST_CHARACTERS: usize = 200_000;
/// Findings of one request.
const MOST_FINDINGS: usize = 1_000;
/// Confidences below it are left out.
const LEAST_CONFIDENCE: f32 = 0.002;

const TOPICS: Setting = Setting {
    name: "topics",
    kind: Kind::Records {
        max_items: 20,
        record: &Record {
            name: "Topic",
            help: "A topic that is defined by examples.",
            fields: &[
                Field {
                    name: "name",
                    kind: FieldKind::Name(100),
                    is_required: true,
                    help: "Name of the topic, which findings carry. Unique in the policy.",
                },
                Field {
                    name: "description",
                    kind: FieldKind::Note(1_000),
                    is_required: false,
                    help: "Note for people. Detection does not read it.",
                },
                Field {
                    name: "examples",
                    kind: FieldKind::Texts { min_items: 3, max_items: 50, max_chars: LONGEST_EXAMPLE },
                    is_required: true,
                    help: "Texts about the topic, of 3 to 2,000 characters, in each language in which it is to be found. \
                        Ten or more find it better than three.",
                },
                Field {
                    name: "counterexamples",
                    kind: FieldKind::Texts { min_items: 0, max_items: 50, max_chars: LONGEST_EXAMPLE },
                    is_required: false,
                    help: "Texts that are similar, and not about the topic, of 3 to 2,000 characters.",
                },
            ],
            computed: &[Field {
                name: "expected_false_positives",
                kind: FieldKind::Probability,
                is_required: false,
                help: "Share of harmless texts in the topic's languages that it is expected to flag at the threshold. Absent \
                    while the guardrail is disabled. Ignored in requests.",
            }],
        },
    },
    default: Default::Empty,
    help: "topics to detect, each defined by examples.",
    is_drafted: true,
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "custom_topics",
    group: Group::CustomControls,
    description: "Topics that the organization defines by examples, in the languages of the examples.",
    default_threshold: 0.5,
    default_action: Action::Block,
    settings: &[TOPICS],
    masks: None,
    attacks_model: false,
    in_default_policy: false,
    triggers: "",
    passes: "Which bank holidays fall on a Monday this year?",
};

/// The guardrail.
pub struct CustomTopics;

impl Detector for CustomTopics {
    fn guardrail(&self) -> &'static Guardrail {
        &GUARDRAIL
    }

    fn parse(&self, settings: &Settings) -> Result<Box<dyn Inspector>, FieldError> {
        self.parse_at(settings, GUARDRAIL.default_threshold)
    }

    fn parse_at(&self, settings: &Settings, threshold: f32) -> Result<Box<dyn Inspector>, FieldError> {
        let topics: Vec<_> = settings.records(TOPICS.name).iter().map(topic).collect();
        Ok(Box::new(Topics::new(topics, threshold)))
    }

    fn check(&self, settings: &Settings) -> Result<(), FieldError> {
        let topics: Vec<_> = settings.records(TOPICS.name).iter().map(topic).collect();
        let mut names = HashSet::new();
        for (at, topic) in topics.iter().enumerate() {
            let path = format!("{}.{at}", TOPICS.name);
            if !names.insert(topic.name.to_lowercase()) {
                return Err(FieldError::value("name", "must not repeat a topic of this policy").under(&path));
            }
            check_lengths("examples", &topic.examples).map_err(|error| error.under(&path))?;
            check_lengths("counterexamples", &topic.counterexamples).map_err(|error| error.under(&path))?;
        }
        let texts = topics.iter().flat_map(|topic| topic.examples.iter().chain(&topic.counterexamples));
        if texts.map(|text| text.chars().count()).sum::<usize>() > MOST_CHARACTERS {
            let accepted = format!("must have at most {MOST_CHARACTERS} characters of examples together");
            return Err(FieldError::value(TOPICS.name, accepted));
        }
        Ok(())
    }
}

/// Reads a topic of which the fields were checked.
fn topic(written: &Value) -> Topic {
    let texts = |field: &str| {
        let texts = written[field].as_array().into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    };
    Topic {
        name: written["name"].as_str().unwrap_or_default().to_owned(),
        examples: texts("examples"),
        counterexamples: texts("counterexamples"),
    }
}

fn check_lengths(field: &str, texts: &[String]) -> Result<(), FieldError> {
    // Invisible characters are removed before a text is read.
    let is_short = |text: &String| Text::new(text).clean().text.trim().chars().count() < SHORTEST_EXAMPLE;
    let Some(at) = texts.iter().position(is_short) else { return Ok(()) };
    let accepted = format!("must be a string of {SHORTEST_EXAMPLE} to {LONGEST_EXAMPLE} characters");
    Err(FieldError::value(format!("{field}.{at}"), accepted))
}

impl Inspector for Topics {
    fn inspect(&self, evidence: &Evidence<'_>, sources: Sources, findings: &mut Vec<Finding>) {
        if !self.is_empty() && self.find(evidence, sources, findings).is_none() {
            let evidence = "topics could not be read".into();
            findings.push(Finding { confidence: 1.0, part: 0, span: None, evidence, is_learned: false });
        }
    }

    fn memory_usage(&self) -> usize {
        self.memory_usage()
    }

    fn topics(&self) -> Option<&Topics> {
        Some(self)
    }

    fn topics_mut(&mut self) -> Option<&mut Topics> {
        Some(self)
    }
}

impl Topics {
    /// Adds the findings. `None` if the topics are not fitted or the texts have no vectors.
    fn find(&self, evidence: &Evidence<'_>, sources: Sources, findings: &mut Vec<Finding>) -> Option<()> {
        let vectors = evidence.scores.vectors.as_ref()?;
        let end = findings.len() + MOST_FINDINGS;
        let mut best: Option<(&WindowVector, &Topic, f32)> = None;
        let is_read = |part: &Part<'_>| {
            part.origin.is_evaluated() && sources.contains(part.origin.source(evidence.direction))
        };
        for window in vectors.iter().filter(|window| is_read(&evidence.parts[window.part])) {
            self.score(&window.vector, |topic, confidence| {
                if best.is_none_or(|(_, _, highest)| confidence > highest) {
                    best = Some((window, topic, confidence));
                }
                if confidence >= self.threshold() && findings.len() < end {
                    findings.push(finding(evidence, window, topic, confidence));
                }
            })?;
        }
        // The highest score is shown, whether it triggers or not, and even where there are too many.
        let is_left_out = findings.len() == end || findings.len() + MOST_FINDINGS == end;
        if let Some((window, topic, confidence)) = best
            && is_left_out
            && confidence >= LEAST_CONFIDENCE
        {
            findings.push(finding(evidence, window, topic, confidence));
        }
        Some(())
    }
}

fn finding(evidence: &Evidence<'_>, window: &WindowVector, topic: &Topic, confidence: f32) -> Finding {
    let view = &evidence.parts[window.part].text.views()[window.view];
    Finding {
        confidence,
        part: window.part,
        span: Some(view.original(window.span)),
        evidence: with_encoding(format!("topic \"{}\"", topic.name), &view.transforms),
        is_learned: true,
    }
}
