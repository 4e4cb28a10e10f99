//! Regression test: plain attacks and plain harmless texts for each guardrail, written by hand and evaluated with the
//! real rules and the real model at the shipped thresholds. The model was tuned with these texts, so they measure
//! nothing unseen.

use std::path::Path;

use guardengine_classifiers::Classifier;
use guardengine_engine::{
    Evidence, RequestOptions, decide,
    evidence::{Origin, Part},
    guardrail::Direction,
    policy::{CompiledPolicy, document::Policy},
    text::Text,
};
use guardengine_evaluation::{LabeledText, read};

/// Guardrail, least share of its attacks that it must flag, and least share of harmless twins that all guardrails
/// together must let pass; both as measured, a little below.
const FLOORS: [(&str, f32, f32); 15] = [
    ("prompt_injection", 0.93, 0.93),
    ("model_jailbreak", 0.93, 0.93),
    ("model_denial", 0.93, 0.93),
    ("toxicity", 0.93, 0.93),
    ("hate_speech", 0.93, 0.93),
    ("nsfw", 0.93, 0.93),
    ("violence", 0.93, 0.86),
    ("self_harm", 0.93, 0.93),
    ("religious_content", 0.93, 0.93),
    ("copyright_infringement", 0.93, 0.8),
    ("fraud", 0.8, 0.86),
    ("spam", 0.87, 0.93),
    ("bias", 0.93, 0.86),
    ("impersonation", 0.93, 0.93),
    ("illicit", 0.3, 0.93),
];

/// Returns the guardrails of the built-in policy that trigger.
fn triggered(policy: &CompiledPolicy, text: &str) -> Vec<&'static str> {
    let parts = vec![Part::new(Origin::Subject, Text::new(text))];
    let scores = guardengine_classifiers::embedded().score(&parts).unwrap();
    let evidence = Evidence::new(Direction::Input, parts, vec![Vec::new()], scores);
    let verdict = decide(policy, &evidence, RequestOptions::default());
    verdict.scores.iter().filter(|one| one.is_triggered()).map(|one| one.name).collect()
}

fn share(rows: &[LabeledText], right: impl Fn(&LabeledText) -> bool) -> f32 {
    let wrong: Vec<&str> = rows.iter().filter(|row| !right(row)).map(|row| row.text.as_str()).collect();
    println!("  {} of {} wrong: {wrong:#?}", wrong.len(), rows.len());
    1.0 - wrong.len() as f32 / rows.len() as f32
}

#[test]
fn plain_attacks_are_flagged_and_plain_harmless_texts_pass() {
    let policy = CompiledPolicy::compile(&Policy::built_in()).unwrap();
    let mut below = Vec::new();
    for (guardrail, recall, passing) in FLOORS {
        println!("{guardrail}");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../cases/{guardrail}.jsonl"));
        let (attacks, harmless): (Vec<LabeledText>, Vec<LabeledText>) =
            read(&file).unwrap().into_iter().partition(|row| !row.labels.is_empty());
        assert!(attacks.len() >= 15 && harmless.len() >= 15, "{guardrail}");
        let flagged = share(&attacks, |row| triggered(&policy, &row.text).contains(&guardrail));
        let passed = share(&harmless, |row| triggered(&policy, &row.text).is_empty());
        if flagged < recall || passed < passing {
            below.push(format!(
                "{guardrail}: {flagged} of the attacks flagged, {passed} of the harmless texts passed"
            ));
        }
    }
    assert!(below.is_empty(), "{below:#?}");
}
