use guardengine_engine::{
    policy::document::Policy,
    scores::{LABELS, Scores, WindowScores},
    text::Text,
};
use serde_json::{Value, json};

use super::*;
use crate::{
    split_turns::Suspicion,
    submission::{Role, Submission, Turn},
};

fn policy() -> CompiledPolicy {
    let written = json!({ "policyName": "a", "guardrails": [{ "guardrail": "toxicity" }] });
    CompiledPolicy::compile(&Policy::parse(&written).unwrap()).unwrap()
}

fn shown(submission: &Submission, scored: &[(Range<usize>, f32)], is_internal: bool) -> Value {
    let prior_turns = submission.prior_turns();
    let mut evidence = submission.evidence(&prior_turns, "", false);
    let scored = scored.iter().map(|(range, score)| {
        let mut scores = [0.0; LABELS.len()];
        scores[label("toxicity").unwrap()] = *score;
        WindowScores { part: 0, view: 0, span: Span::new(range.start, range.end), scores }
    });
    evidence.scores = Scores { scored: scored.collect(), ..Scores::default() };
    let (policy, keys) = (policy(), MaskKeys::new(&[7; 32]));
    let options = ExcerptOptions { policy: &policy, is_internal, keys: &keys };
    serde_json::to_value(Excerpt::of(&evidence, options)).unwrap()
}

fn prompt(text: &str) -> Submission {
    Submission::of(Direction::Input, text.to_owned())
}

#[test]
fn shows_a_short_submission_whole() {
    let mut submission = prompt("hello");
    submission.documents = vec!["retrieved".to_owned()];
    submission.history =
        vec![Turn { known: Some(Suspicion::default()), ..Turn::new(Role::User, "before".to_owned()) }];
    let whole = |text, stretch| json!({ "text": text, "cut": false, "stretches": [stretch] });
    assert_eq!(
        shown(&submission, &[], false),
        json!([
            whole("prompt", "hello"),
            whole("document", "retrieved"),
            whole("the user's earlier turns", "before")
        ])
    );
    let response = Submission::of(Direction::Output, "hi".to_owned());
    assert_eq!(shown(&response, &[], false), json!([whole("response", "hi")]));
}

#[test]
fn masks_pii_for_external_models() {
    let mut submission = prompt("write to jane.doe@example.com");
    submission.history = vec![Turn {
        known: Some(Suspicion::default()),
        ..Turn::new(Role::User, "or john.roe@example.com".to_owned())
    }];
    let masked = shown(&submission, &[], false);
    assert_eq!(masked[0]["stretches"][0], "write to [EMAIL_REDACTED]");
    assert_eq!(
        masked[1]["stretches"][0], "or [EMAIL_REDACTED]",
        "parts that are not evaluated are scanned too"
    );
    assert_eq!(shown(&submission, &[], true)[0]["stretches"][0], "write to jane.doe@example.com");
}

#[test]
fn shows_the_edges_and_the_most_suspicious_windows_of_a_long_text() {
    let words: Vec<String> = (0..20_000).map(|word| format!("w{word:05}")).collect();
    let text = words.join(" ");
    let windows = [(70_000..70_500, 0.9), (35_000..35_500, 0.2), (0..text.len(), 1.0)];
    let shown = shown(&prompt(&text), &windows, false);
    assert_eq!((shown.as_array().unwrap().len(), &shown[0]["cut"]), (1, &json!(true)));
    let stretches: Vec<&str> =
        shown[0]["stretches"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(stretches.len(), 4);
    assert!(stretches[0].starts_with("w00000") && stretches[3].ends_with("w19999"));
    assert!(stretches[1].contains(&text[35_000..35_500]) && stretches[2].contains(&text[70_000..70_500]));
    let bytes: usize = stretches.iter().map(|stretch| stretch.len()).sum();
    assert_eq!(bytes, 2 * EDGE_BYTES + 2 * (500 + 2 * CONTEXT_BYTES));
}

#[test]
fn never_exceeds_the_size_limit() {
    let text = "é".repeat(100_000);
    let windows: Vec<_> = (0..300).map(|at| (at * 600..at * 600 + 501, 0.5)).collect();
    let shown = shown(&prompt(&text), &windows, false);
    let stretches = shown[0]["stretches"].as_array().unwrap();
    let bytes: usize = stretches.iter().map(|one| one.as_str().unwrap().len()).sum();
    assert!(bytes <= MAX_BYTES + 4 * stretches.len(), "{bytes}");
    assert!(bytes > MAX_BYTES / 2, "{bytes}");
}

#[test]
fn masks_pii_at_the_edge_of_a_passage() {
    let card = "4111 1111 1111 1111";
    let text = format!("{} my card number is {card} {}", "a ".repeat(20_000), "b ".repeat(20_000));
    let start = text.find(card).unwrap();
    for cut in 0..card.len() {
        let window = (start + cut + CONTEXT_BYTES)..(start + cut + CONTEXT_BYTES + 100);
        let shown = shown(&prompt(&text), &[(window, 0.9)], false).to_string();
        assert!(!shown.contains("11"), "{shown}");
    }
    assert!(Text::new(card).original().contains("11"));
}
