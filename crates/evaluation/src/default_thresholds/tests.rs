use super::*;
use crate::{
    report::{Prediction, evaluate},
    suite::LabeledText,
};

/// A thousand short plain texts and a thousand long ones. Spam rises over the short ones, fraud over the long ones.
fn report() -> Report {
    let plain = |at: usize| LabeledText {
        text: if at < 1000 { format!("{at}") } else { format!("{at}{}", " ".repeat(200)) },
        suite: "plain".to_owned(),
        expect: Some(Expect::Pass),
        ..LabeledText::default()
    };
    let attack = LabeledText {
        text: "5000".to_owned(),
        suite: "attacks".to_owned(),
        labels: vec!["spam".to_owned()],
        expect: Some(Expect::Flag),
        ..LabeledText::default()
    };
    let texts: Vec<_> = (0..2000).map(plain).chain([attack]).collect();
    let thresholds = [("spam".to_owned(), 0.5), ("fraud".to_owned(), 0.75)].into();
    evaluate(&texts, &thresholds, |text| {
        let at: usize = text.text.trim().parse().unwrap();
        let (name, confidence) = if at < 1000 || at == 5000 {
            ("spam", (at % 1000) as f32)
        } else {
            ("fraud", (at - 1000) as f32)
        };
        let confidence = if at == 5000 { 0.9965 } else { confidence / 1000.0 };
        Prediction { confidences: [(name.to_owned(), confidence)].into(), ..Prediction::default() }
    })
}

#[test]
fn each_length_bucket_keeps_the_budget() {
    let derived = derive(&report(), Budgets::default()).unwrap();
    // Of the thousand short texts three may trigger: those at 0.997 and above. Of all two thousand it would be six.
    let spam = &derived.guardrails["spam"];
    assert_eq!(spam.threshold, 0.997);
    assert_eq!(spam.share.by_length[..2], [Some(0.003), Some(0.0)]);
    assert!(spam.share.within_budget && derived.together.within_budget);
    assert_eq!((derived.scale, derived.plain_texts), (1.0, 2000));
    assert_eq!((spam.positives, spam.recall, spam.report_recall), (1, Some(0.0), Some(1.0)));
    assert_eq!((spam.report_threshold, derived.guardrails["fraud"].report_threshold), (Some(0.5), None));
}

#[test]
fn a_bucket_with_few_texts_does_not_count() {
    let budgets = Budgets { min_texts: 1001, ..Budgets::default() };
    assert_eq!(derive(&report(), budgets).unwrap().guardrails["spam"].threshold, 0.994);
}

#[test]
fn no_threshold_is_below_the_least_one() {
    let budgets = Budgets { min_threshold: 0.5, ..Budgets::default() };
    let derived = derive(&report(), budgets).unwrap();
    // No plain text has a confidence of bias, so the budget would allow any threshold.
    assert_eq!((derived.guardrails["bias"].threshold, derived.guardrails["spam"].threshold), (0.5, 0.997));
}

#[test]
fn the_common_budget_scales_all_guardrails_down() {
    let budgets = Budgets { per_guardrail: 0.02, together: 0.01, min_texts: 5000, min_threshold: 0.0 };
    let derived = derive(&report(), budgets).unwrap();
    // Of two thousand texts twenty may trigger: ten for each of the two guardrails that share none. The budget of each
    // is forty, and 0.274 is the largest scale that allows ten of them.
    assert_eq!(derived.scale, 0.274);
    assert!(derived.together.within_budget);
    assert_eq!(derived.together.false_positive_rate, Some(0.01));
}

#[test]
fn deriving_needs_single_texts_and_plain_suites() {
    let mut report = report();
    report.texts.retain(|text| text.suite == "attacks");
    assert_eq!(derive(&report, Budgets::default()).unwrap_err(), NotDerivable::NoPlainTexts);
    report.texts.clear();
    assert_eq!(derive(&report, Budgets::default()).unwrap_err(), NotDerivable::Summary);
}

#[test]
fn the_same_report_gives_the_same_thresholds() {
    let json = |report: &Report| serde_json::to_string(&derive(report, Budgets::default()).unwrap()).unwrap();
    let read: Report = serde_json::from_str(&serde_json::to_string(&report()).unwrap()).unwrap();
    assert_eq!(json(&report()), json(&read));
}
