use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{
    evidence::{Origin, Part},
    guardrail::Direction,
    policy::{Outcome, Verdict, decide, document::Policy},
    scores::{Scores, WindowScores},
    span::Span,
    text::Text,
};

const TEXT: &str = "one two three four";

/// A policy over these guardrails, each at a threshold of 0.65.
fn policy(guardrails: &[&str], may_lower: f32) -> CompiledPolicy {
    let item = |name: &&str| json!({ "guardrail": name, "threshold": 0.65, "terms": ["three"] });
    let items: Vec<_> = guardrails.iter().map(item).collect();
    let written =
        json!({ "policyName": "a", "guardrails": items, "llm_reasoning": { "may_lower": may_lower } });
    CompiledPolicy::compile(&Policy::parse(&written).unwrap()).unwrap()
}

/// A text with these learned scores.
fn evidence(scored: &[(&str, f32)]) -> Evidence<'static> {
    let mut scores = [0.0; LABELS.len()];
    for (name, score) in scored {
        scores[label(name).unwrap()] = *score;
    }
    let scored = vec![WindowScores { part: 0, view: 0, span: Span::new(0, 3), scores }];
    let parts = vec![Part::new(Origin::Subject, Text::new(TEXT))];
    Evidence::new(Direction::Input, parts, vec![Vec::new()], Scores { scored, ..Scores::default() })
}

fn opinion(risks: &[(&'static str, f32)]) -> Opinion {
    Opinion { risks: risks.to_vec(), reason: "\"why\"".to_owned() }
}

/// What becomes of a text with one learned score, with an opinion about the same guardrail.
fn advised(name: &'static str, score: f32, may_lower: f32, risk: f32) -> Verdict {
    let evidence = evidence(&[(name, score)]);
    decide_with_opinion(
        &policy(&[name], may_lower),
        &evidence,
        RequestOptions::default(),
        Some(&opinion(&[(name, risk)])),
    )
}

#[test]
fn an_opinion_raises_whatever_it_is_about() {
    let verdict = advised("toxicity", 0.4, 0.0, 0.9);
    assert_eq!((verdict.outcome, verdict.scores[0].confidence), (Outcome::Block, 0.9));
    let spans = &verdict.triggered[0].spans;
    assert_eq!((spans.len(), spans[0].start, spans[0].end), (1, 0, 3));
    assert_eq!(
        verdict.reason.as_deref(),
        Some(
            "toxicity (confidence 0.90, threshold 0.65): a language model's opinion; \
             a language model raised toxicity from 0.40 to 0.90: \"why\""
        )
    );
}

#[test]
fn nothing_is_lowered_where_the_policy_does_not_say_so() {
    let verdict = advised("toxicity", 0.7, 0.0, 0.0);
    assert_eq!((verdict.outcome, verdict.second_opinion), (Outcome::Block, None));
}

#[test]
fn a_suspicion_of_an_attack_is_never_lowered_however_small() {
    for score in [0.05, 0.2, 0.29] {
        let verdict = advised("prompt_injection", score, 0.2, 0.0);
        assert_eq!((verdict.scores[0].confidence, verdict.second_opinion), (score, None));
    }
}

#[test]
fn a_confidence_is_lowered_within_the_band_and_the_reason_is_kept() {
    let verdict = advised("toxicity", 0.7, 0.1, 0.0);
    assert_eq!((verdict.outcome, verdict.reason), (Outcome::Allow, None));
    assert!((verdict.scores[0].confidence - 0.6).abs() < 1e-6);
    let told = "a language model lowered toxicity from 0.70 to 0.60: \"why\"";
    assert_eq!(verdict.second_opinion.as_deref(), Some(told));
    let milder = advised("toxicity", 0.7, 0.1, 0.66);
    assert_eq!((milder.outcome, milder.scores[0].confidence), (Outcome::Block, 0.66));
}

#[test]
fn what_is_nearly_certain_is_not_lowered() {
    assert_eq!(advised("toxicity", CERTAIN, 0.2, 0.0).outcome, Outcome::Block);
    assert_eq!(advised("toxicity", CERTAIN - 0.01, 0.2, 0.0).outcome, Outcome::Allow);
}

#[test]
fn an_attack_on_models_is_not_lowered_nor_is_anything_beside_it() {
    for attack in ["prompt_injection", "model_jailbreak", "model_denial"] {
        assert_eq!(advised(attack, 0.7, 0.2, 0.0).outcome, Outcome::Block, "{attack}");
        let (policy, evidence) =
            (policy(&["toxicity"], 0.2), evidence(&[("toxicity", 0.7), (attack, SUSPECT)]));
        let fooled = opinion(&[("toxicity", 0.0)]);
        let verdict = decide_with_opinion(&policy, &evidence, RequestOptions::default(), Some(&fooled));
        assert_eq!(verdict.outcome, Outcome::Block, "{attack}");
    }
}

#[test]
fn what_a_rule_found_is_not_lowered_and_not_asked_about() {
    let policy = policy(&["confidential_terms"], 0.2);
    assert_eq!(policy.arguable().count(), 0);
    let (evidence, fooled) = (evidence(&[]), opinion(&[("confidential_terms", 0.0)]));
    assert_eq!(
        decide_with_opinion(&policy, &evidence, RequestOptions::default(), Some(&fooled)).outcome,
        Outcome::Block
    );
    assert!(!is_open(&policy, &evidence, RequestOptions::default()));
}

#[test]
fn a_model_is_asked_where_it_can_change_something() {
    let open = |policy: &CompiledPolicy, score| {
        is_open(policy, &evidence(&[("toxicity", score)]), RequestOptions::default())
    };
    let (strict, lenient) = (policy(&["toxicity"], 0.0), policy(&["toxicity"], 0.1));
    assert!(open(&strict, 0.4) && !open(&strict, 0.7), "what is blocked stays blocked");
    assert!(open(&lenient, 0.4) && open(&lenient, 0.7));
    assert!(!open(&lenient, 0.8), "below the band it is blocked still");
}

proptest! {
    #[test]
    fn whatever_a_model_says_it_stays_within_the_band(
        scores in proptest::array::uniform3(0.0_f32..=1.0),
        risks in proptest::array::uniform3(0.0_f32..=1.0),
        may_lower in 0.0_f32..=0.2,
    ) {
        const NAMES: [&str; 3] = ["prompt_injection", "toxicity", "fraud"];
        let pairs = |values: [f32; 3]| NAMES.into_iter().zip(values).collect::<Vec<_>>();
        let (policy, evidence) = (policy(&NAMES, may_lower), evidence(&pairs(scores)));
        let alone = decide(&policy, &evidence, RequestOptions::default());
        let advised = decide_with_opinion(&policy, &evidence, RequestOptions::default(), Some(&opinion(&pairs(risks))));
        for (before, after) in alone.scores.iter().zip(&advised.scores) {
            prop_assert!(after.confidence >= before.confidence - may_lower - 1e-6);
            prop_assert!(before.confidence < CERTAIN || after.confidence >= before.confidence);
        }
        if may_lower == 0.0 || scores[0] >= SUSPECT {
            prop_assert!(advised.outcome >= alone.outcome);
        }
        if !is_open(&policy, &evidence, RequestOptions::default()) {
            prop_assert_eq!(advised.outcome, alone.outcome);
        }
    }

    #[test]
    fn by_default_an_opinion_never_lets_a_text_through(score in 0.0_f32..=1.0, risk in 0.0_f32..=1.0) {
        let alone = decide(&policy(&["toxicity"], 0.0), &evidence(&[("toxicity", score)]), RequestOptions::default());
        prop_assert!(advised("toxicity", score, 0.0, risk).outcome >= alone.outcome);
    }
}
