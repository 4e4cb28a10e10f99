//! Networks against Hugging Face's own code.

use guardengine_custom_models::Model as _;
use serde_json::json;

use crate::folders::{EXPECTED, folder, open};

/// The text that is cut into these pieces, of which the first and the last stand around it.
fn text(pieces: &serde_json::Value) -> String {
    let pieces = pieces.as_array().unwrap();
    let words: Vec<_> = pieces[1..pieces.len() - 1].iter().map(|piece| format!("w{piece}")).collect();
    words.join(" ")
}

#[test]
fn every_network_answers_as_the_library_that_made_it_does() {
    let kinds = EXPECTED["kinds"].as_object().unwrap();
    assert_eq!(kinds.len(), 7);
    for (kind, expected) in kinds {
        let model = open(&folder(kind, |_| {}), "INJECTION=prompt_injection").unwrap();
        for (pieces, logits) in
            EXPECTED["texts"].as_array().unwrap().iter().zip(expected["logits"].as_array().unwrap())
        {
            let answered = model.logits(&text(pieces)).unwrap();
            let expected: Vec<f32> = serde_json::from_value(logits.clone()).unwrap();
            let apart = answered.iter().zip(&expected).map(|(one, other)| (one - other).abs());
            let apart = apart.fold(0.0, f32::max);
            println!("{kind}: {apart:e}");
            assert!(answered.len() == 3 && apart < 2e-5, "{kind}: {answered:?} {expected:?}");
        }
    }
}

#[test]
fn labels_exclude_each_other_unless_the_problem_says_otherwise() {
    let said = |problem: Option<&str>| {
        let folder = folder("bert", |config| config["problem_type"] = json!(problem));
        let labels = "SAFE=spam,INJECTION=prompt_injection,TOXIC=toxicity";
        let model = open(&folder, labels).unwrap();
        let opinion = model.classify(&["w5 w9"]).unwrap()[0];
        ([0, 3, 11].map(|guardrail| opinion[guardrail].unwrap()), model.logits("w5 w9").unwrap())
    };
    let (exclusive, logits) = said(None);
    assert!((exclusive.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{exclusive:?}");
    let total: f32 = logits.iter().map(|logit| logit.exp()).sum();
    assert!((exclusive[0] - logits[1].exp() / total).abs() < 1e-6);
    assert_eq!(said(Some("single_label_classification")).0, exclusive);
    let (together, logits) = said(Some("multi_label_classification"));
    assert!((together[1] - 1.0 / (1.0 + (-logits[2]).exp())).abs() < 1e-6);
}

#[test]
fn exclusive_labels_of_one_guardrail_add_up() {
    let folder = folder("bert", |_| {});
    let said = |labels: &str, guardrail: usize| {
        open(&folder, labels).unwrap().classify(&["w5"]).unwrap()[0][guardrail]
    };
    let both = said("INJECTION=toxicity,TOXIC=toxicity", 3).unwrap();
    let apart = said("INJECTION=toxicity", 3).unwrap() + said("TOXIC=toxicity", 3).unwrap();
    assert!((both - apart).abs() < 1e-6);
}

#[test]
fn a_text_is_read_as_far_as_the_positions_go() {
    for (kind, pieces) in [("bert", 64), ("roberta", 62), ("xlm-roberta", 63)] {
        let model = open(&folder(kind, |_| {}), "TOXIC=toxicity").unwrap();
        let words = |count: usize| "w7 ".repeat(count);
        assert!(model.fits(&words(pieces - 2)) && !model.fits(&words(pieces - 1)), "{kind}");
        let read = model.logits(&words(pieces - 2)).unwrap();
        assert_eq!(model.logits(&words(1000)).unwrap(), read, "{kind}");
    }
}

#[test]
fn the_same_weights_have_the_same_version_and_others_another() {
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
