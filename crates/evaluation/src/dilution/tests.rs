use super::*;
use crate::suite::Expect;

fn text(text: &str, labels: &[&str], expect: Expect) -> LabeledText {
    let labels = labels.iter().map(|label| (*label).to_owned()).collect();
    LabeledText { text: text.to_owned(), labels, expect: Some(expect), ..LabeledText::default() }
}

fn texts() -> Vec<LabeledText> {
    let attacks = (0..10).map(|at| text(&format!("attack {at}"), &["spam"], Expect::Flag));
    let others = (0..2).map(|at| text(&format!("attack of fraud {at}"), &["fraud"], Expect::Flag));
    let harmless = (0..5).map(|at| text(&format!("harmless words, number {at}."), &[], Expect::Pass));
    attacks.chain(others).chain(harmless).collect()
}

/// Detects an attack in the first thousand bytes of a text.
fn reads_the_beginning(text: &LabeledText) -> Prediction {
    let is_seen = text.text.find("attack").is_some_and(|at| at < 1000);
    let confidence = if is_seen { 0.9 } else { 0.1 };
    Prediction {
        confidences: [("spam".to_owned(), confidence), ("fraud".to_owned(), confidence)].into(),
        flagged: is_seen,
        ..Prediction::default()
    }
}

fn thresholds() -> Thresholds {
    [("spam".to_owned(), 0.5), ("fraud".to_owned(), 0.5)].into()
}

#[test]
fn recall_falls_with_the_length_of_what_stands_before() {
    let texts = texts();
    let dilution = Dilution::new(&texts, 1, 100);
    let mut evaluations = 0;
    let report = dilution.run(&thresholds(), |text| {
        evaluations += 1;
        reads_the_beginning(text)
    });
    assert_eq!(evaluations, dilution.evaluations());
    let recall = |length, position| report.cell(length, position).unwrap();
    assert_eq!(recall(0, Position::Alone), 1.0);
    assert_eq!([recall(700, Position::Before), recall(2100, Position::Before)], [1.0, 0.0]);
    assert_eq!([recall(60_000, Position::After), recall(60_000, Position::Both)], [1.0, 0.0]);
    assert_eq!(report.worst_to_alone, Some(0.0));
    let detected: Vec<_> = report.lengths.iter().map(|one| one.attacks.detected).collect();
    assert_eq!(detected, [12, 36, 36, 12, 12, 12]);
    assert!(report.lengths.iter().all(|one| one.harmless.detected == 0));
    assert_eq!(report.guardrails.len(), 2);
}

#[test]
fn a_guardrail_of_another_kind_does_not_detect_the_attack() {
    let (attack, mut prediction) = (text("a", &["spam"], Expect::Flag), Prediction::default());
    prediction.confidences.insert("fraud".to_owned(), 1.0);
    prediction.flagged = true;
    assert!(!is_detected(&attack, &prediction, &thresholds()));
    assert!(is_detected(&LabeledText { labels: Vec::new(), ..attack }, &prediction, &thresholds()));
}

#[test]
fn a_sample_holds_attacks_of_each_guardrail() {
    let texts = texts();
    let sampled = Dilution::new(&texts, 1, 4).attacks;
    let count = |label: &str| sampled.iter().filter(|attack| attack.labels[0] == label).count();
    assert_eq!((count("spam"), count("fraud")), (2, 2));
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let texts = texts();
    let report = |seed| {
        let mut seen = Vec::new();
        let _report = Dilution::new(&texts, seed, 3).run(&thresholds(), |text| {
            seen.push(text.text.clone());
            reads_the_beginning(text)
        });
        seen
    };
    assert_eq!(report(1), report(1));
    assert_ne!(report(1), report(2));
}

#[test]
fn the_table_has_a_line_for_each_length_and_guardrail() {
    let texts = texts();
    let table = Dilution::new(&texts, 1, 100).run(&thresholds(), reads_the_beginning).to_string();
    assert_eq!(table.lines().count(), 2 + LENGTHS.len() + 1 + 1 + 2, "{table}");
}
