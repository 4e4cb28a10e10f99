//! Networks compared with Hugging Face's code.

use guardengine_custom_models::Model as _;
use serde_json::json;

use crate::folders::{EXPECTED, folder, open};

/// Returns the text of these tokens, without the first and the last, which the tokenizer adds.
fn text(tokens: &serde_json::Value) -> String {
    let tokens = tokens.as_array().unwrap();
    let words: Vec<_> = tokens[1..tokens.len() - 1].iter().map(|token| format!("w{token}")).collect();
    words.join(" ")
}

#[test]
fn every_network_matches_the_reference_logits() {
    let kinds = EXPECTED["kinds"].as_object().unwrap();
    assert_eq!(kinds.len(), 7);
    for (kind, expected) in kinds {
        let model = open(&folder(kind, |_| {}), "INJECTION=prompt_injection").unwrap();
        for (tokens, logits) in
            EXPECTED["texts"].as_array().unwrap().iter().zip(expected["logits"].as_array().unwrap())
        {
            let actual = model.logits(&text(tokens)).unwrap();
            let expected: Vec<f32> = serde_json::from_value(logits.clone()).unwrap();
            let differences = actual.iter().zip(&expected).map(|(one, other)| (one - other).abs());
            let difference = differences.fold(0.0, f32::max);
            println!("{kind}: {difference:e}");
            assert!(actual.len() == 3 && difference < 2e-5, "{kind}: {actual:?} {expected:?}");
        }
    }
}

#[test]
fn labels_are_exclusive_unless_the_problem_type_is_multi_label() {
    let classify = |problem: Option<&str>| {
        let folder = folder("bert", |config| config["problem_type"] = json!(problem));
        let labels = "SAFE=spam,INJECTION=prompt_injection,TOXIC=toxicity";
        let model = open(&folder, labels).unwrap();
        let probabilities = model.classify(&["w5 w9"]).unwrap()[0];
        ([0, 3, 11].map(|guardrail| probabilities[guardrail].unwrap()), model.logits("w5 w9").unwrap())
    };
    let (exclusive, logits) = classify(None);
    assert!((exclusive.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{exclusive:?}");
    let total: f32 = logits.iter().map(|logit| logit.exp()).sum();
    assert!((exclusive[0] - logits[1].exp() / total).abs() < 1e-6);
    assert_eq!(classify(Some("single_label_classification")).0, exclusive);
    let (independent, logits) = classify(Some("multi_label_classification"));
    assert!((independent[1] - 1.0 / (1.0 + (-logits[2]).exp())).abs() < 1e-6);
}

#[test]
fn adds_up_exclusive_labels_of_the_same_guardrail() {
    let folder = folder("bert", |_| {});
    let probability = |labels: &str, guardrail: usize| {
        open(&folder, labels).unwrap().classify(&["w5"]).unwrap()[0][guardrail]
    };
    let both = probability("INJECTION=toxicity,TOXIC=toxicity", 3).unwrap();
    let sum = probability("INJECTION=toxicity", 3).unwrap() + probability("TOXIC=toxicity", 3).unwrap();
    assert!((both - sum).abs() < 1e-6);
}

#[test]
fn truncates_a_text_at_the_last_position() {
    for (kind, max_tokens) in [("bert", 64), ("roberta", 62), ("xlm-roberta", 63)] {
        let model = open(&folder(kind, |_| {}), "TOXIC=toxicity").unwrap();
        let words = |count: usize| "w7 ".repeat(count);
        assert!(model.fits(&words(max_tokens - 2)) && !model.fits(&words(max_tokens - 1)), "{kind}");
        let truncated = model.logits(&words(max_tokens - 2)).unwrap();
        assert_eq!(model.logits(&words(1000)).unwrap(), truncated, "{kind}");
    }
}

#[test]
fn the_version_depends_on_the_weights() {
    let version = |kind: &str| {
        let folder = folder(kind, |_| {});
        let model = open(&folder, "TOXIC=toxicity").unwrap();
        let (name, digest) = model.version().split_once('@').unwrap();
        assert_eq!(name, folder.path().file_name().unwrap().to_str().unwrap());
        digest.to_owned()
    };
    assert_eq!(version("bert"), version("bert"));
    assert_ne!(version("bert"), version("roberta"));
}
