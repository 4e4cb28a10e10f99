//! What holds for every guardrail.

use std::collections::HashSet;

use super::*;

/// Wire names in the order in which the contract lists them.
const WIRE_NAMES: [&str; 17] = [
    "prompt_injection",
    "model_jailbreak",
    "model_denial",
    "toxicity",
    "hate_speech",
    "nsfw",
    "violence",
    "self_harm",
    "religious_content",
    "pii",
    "confidential_terms",
    "copyright_infringement",
    "fraud",
    "spam",
    "bias",
    "impersonation",
    "custom_regex",
];

fn guardrails() -> impl Iterator<Item = &'static Guardrail> {
    ALL.iter().map(|detector| detector.guardrail())
}

#[test]
fn every_wire_name_of_the_contract_is_there_in_its_order() {
    assert_eq!(guardrails().map(|guardrail| guardrail.name).collect::<Vec<_>>(), WIRE_NAMES);
}

#[test]
fn a_guardrail_is_found_by_its_name_alone() {
    for name in WIRE_NAMES {
        assert_eq!(detector(name).map(|detector| detector.guardrail().name), Some(name));
    }
    assert!(detector("Toxicity").is_none());
}

#[test]
fn descriptions_are_sentences_and_differ() {
    let descriptions: HashSet<_> = guardrails().map(|guardrail| guardrail.description).collect();
    assert_eq!(descriptions.len(), ALL.len());
    for description in descriptions {
        assert!(description.starts_with(char::is_uppercase) && description.ends_with('.'), "{description}");
    }
}

#[test]
fn default_thresholds_are_probabilities() {
    for guardrail in guardrails() {
        assert!((0.0..=1.0).contains(&guardrail.default_threshold), "{}", guardrail.name);
    }
}

#[test]
fn the_default_policy_holds_whatever_needs_no_setting() {
    let left_out: Vec<_> = guardrails().filter(|g| !g.in_default_policy).map(|g| g.name).collect();
    assert_eq!(left_out, ["confidential_terms", "custom_regex"]);
}

#[test]
fn learned_scores_are_read_by_exactly_the_guardrails_that_have_one() {
    for detector in ALL {
        let name = detector.guardrail().name;
        assert_eq!(detector.needs_scores(), crate::scores::label(name).is_some(), "{name}");
    }
}
