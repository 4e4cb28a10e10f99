use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::{
    evidence::{Author, Joined, Origin},
    guardrail::Direction,
    policy::{CompiledPolicy, Outcome, RequestOptions, decide, document::Policy},
    scores::Scores,
    span::Span,
    text::Text,
    topics::{NoVectors, Space, TextVector, TopicEncoder},
};

/// Counts letters.
struct Letters;

impl TopicEncoder for Letters {
    fn vector(&self, text: &str) -> Result<TextVector, NoVectors> {
        let mut counts = [0.0; 8];
        text.bytes().for_each(|byte| counts[usize::from(byte % 8)] += 1.0);
        Ok(TextVector { numbers: counts.into(), language: 0 })
    }

    fn space(&self) -> Result<Arc<Space>, NoVectors> {
        let text = |at: u32| format!("{} {} {}", at * 7_919, at * 104_729 % 1_000_003, "abcdefgh".repeat(2));
        let background: Vec<_> = (0..400).map(|at| self.vector(&text(at)).unwrap()).collect();
        Space::of(&background).map(Arc::new).ok_or_else(|| NoVectors("no space".into()))
    }
}

fn topic_of(name: &str, letter: &str) -> Value {
    let examples: Vec<_> = [20, 24, 28].map(|count| letter.repeat(count)).to_vec();
    json!({ "name": name, "examples": examples })
}

fn read(topics: &Value) -> Result<Policy, String> {
    let item = json!({ "guardrail": "custom_topics", "topics": topics });
    Policy::parse(&json!({ "policyName": "a", "guardrails": [item] })).map_err(|error| error.to_string())
}

fn compiled(topics: &Value) -> CompiledPolicy {
    CompiledPolicy::compile(&read(topics).unwrap()).unwrap()
}

fn fitted(topics: &Value) -> CompiledPolicy {
    let mut policy = compiled(topics);
    policy.fit(&Letters).unwrap();
    policy
}

fn evidence<'a>(texts: &[(Origin, &'a str)], has_vectors: bool) -> Evidence<'a> {
    let parts: Vec<_> = texts.iter().map(|(origin, text)| Part::new(*origin, Text::new(text))).collect();
    let vector = |(part, (_, text)): (usize, &(Origin, &str))| {
        let vector = Letters.vector(text).unwrap().numbers;
        WindowVector { part, view: 0, span: Span::new(0, text.len()), vector }
    };
    let vectors = has_vectors.then(|| texts.iter().enumerate().map(vector).collect());
    let pii = parts.iter().map(|_| Vec::new()).collect();
    Evidence::new(Direction::Input, parts, pii, Scores { vectors, ..Scores::default() })
}

fn verdict(policy: &CompiledPolicy, texts: &[(Origin, &str)]) -> crate::Verdict {
    decide(policy, &evidence(texts, true), RequestOptions::default())
}

#[test]
fn a_text_about_a_topic_is_blocked_and_the_topic_is_named_at_its_place() {
    let policy = fitted(&json!([topic_of("queues", "q"), topic_of("zoos", "z")]));
    let text = "z".repeat(25);
    let verdict = verdict(&policy, &[(Origin::Subject, "abcdefgh 12"), (Origin::Document(0), &text)]);
    assert_eq!(verdict.outcome, Outcome::Block);
    let [triggered] = &*verdict.triggered else { panic!("{:?}", verdict.triggered) };
    assert_eq!(triggered.evidence, ["topic \"zoos\""]);
    assert_eq!((triggered.spans[0].document, triggered.spans[0].end), (Some(0), 25));
    assert!(triggered.confidence > 0.5, "{}", triggered.confidence);
}

#[test]
fn a_text_about_nothing_passes_and_shows_its_score() {
    let policy = fitted(&json!([topic_of("zoos", "z")]));
    let verdict = verdict(&policy, &[(Origin::Subject, "zebras zigzag abcdefgh 12")]);
    assert_eq!(verdict.outcome, Outcome::Allow);
    assert!(verdict.scores[0].confidence > 0.0 && verdict.scores[0].confidence < 0.5);
}

#[test]
fn only_evaluated_texts_of_the_chosen_sources_count() {
    let item =
        json!({ "guardrail": "custom_topics", "applies_to": ["prompt"], "topics": [topic_of("zoos", "z")] });
    let policy = Policy::parse(&json!({ "policyName": "a", "guardrails": [item] })).unwrap();
    let mut policy = CompiledPolicy::compile(&policy).unwrap();
    policy.fit(&Letters).unwrap();
    let text = "z".repeat(25);
    let outcome = |origin| verdict(&policy, &[(Origin::Subject, "abcdefgh 12"), (origin, &text)]).outcome;
    assert_eq!(outcome(Origin::Document(0)), Outcome::Allow);
    assert_eq!(outcome(Origin::Turn(0, Author::User)), Outcome::Allow);
    assert_eq!(outcome(Origin::Subject), Outcome::Block);
    let everywhere = fitted(&json!([topic_of("zoos", "z")]));
    assert_eq!(verdict(&everywhere, &[(Origin::PriorTurns(Joined::Latest), &text)]).outcome, Outcome::Allow);
}

#[test]
fn topics_that_cannot_be_read_let_nothing_pass() {
    let topics = json!([topic_of("zoos", "z")]);
    let unfitted = compiled(&topics);
    assert!(unfitted.needs_vectors() && !unfitted.is_fitted());
    assert_eq!(verdict(&unfitted, &[(Origin::Subject, "hello")]).outcome, Outcome::Block);
    let policy = fitted(&topics);
    assert!(policy.is_fitted());
    let unread = evidence(&[(Origin::Subject, "hello")], false);
    assert_eq!(decide(&policy, &unread, RequestOptions::default()).outcome, Outcome::Block);
}

#[test]
fn a_policy_without_topics_needs_no_vectors() {
    for policy in [compiled(&json!([])), CompiledPolicy::compile(&Policy::built_in()).unwrap()] {
        assert!(policy.is_fitted() && !policy.needs_vectors());
        let unread = evidence(&[(Origin::Subject, "hello")], false);
        assert_eq!(decide(&policy, &unread, RequestOptions::default()).outcome, Outcome::Allow);
    }
}

#[test]
fn a_model_without_vectors_fits_nothing() {
    struct Silent;
    impl TopicEncoder for Silent {
        fn vector(&self, _: &str) -> Result<TextVector, NoVectors> {
            Ok(TextVector { numbers: [1.0; 3].into(), language: 0 })
        }

        fn space(&self) -> Result<Arc<Space>, NoVectors> {
            Letters.space()
        }
    }
    let mut policy = compiled(&json!([topic_of("zoos", "z")]));
    let error = policy.fit(&Silent).unwrap_err().to_string();
    assert_eq!(error, "no vectors for topics: the background is of another model");
    assert!(!policy.is_fitted());
}

#[test]
fn limits_name_the_field() {
    let one = |field: &str, value: Value| {
        let mut topic = topic_of("zoos", "z");
        topic[field] = value;
        read(&json!([topic])).map(|_| ()).unwrap_err()
    };
    let of = |field: &str| format!("guardrails.0.topics.0.{field}");
    let long = "z".repeat(2_001);
    for (field, value, error) in [
        ("name", json!(" "), format!("{}: must have 1 to 100 characters", of("name"))),
        (
            "description",
            json!("d".repeat(1_001)),
            format!("{}: must have at most 1000 characters", of("description")),
        ),
        ("examples", json!(null), format!("field required: {}", of("examples"))),
        ("examples", json!(["one", "two"]), format!("{}: must have at least 3 items", of("examples"))),
        (
            "examples",
            json!(vec!["one"; 51]),
            format!("{}: must be an array of at most 50 items", of("examples")),
        ),
        (
            "examples",
            json!(["one", "two", "3 "]),
            format!("{}: must be a string of 3 to 2000 characters", of("examples.2")),
        ),
        (
            "examples",
            json!(["one", "two", long]),
            format!("{}: must be a string of 1 to 2000 characters", of("examples.2")),
        ),
        (
            "examples",
            json!(["one", "two", "\u{200b}\u{200b}\u{200b}\u{200b}"]),
            format!("{}: must be a string of 3 to 2000 characters", of("examples.2")),
        ),
        (
            "counterexamples",
            json!(["no"]),
            format!("{}: must be a string of 3 to 2000 characters", of("counterexamples.0")),
        ),
    ] {
        assert_eq!(one(field, value), error);
    }
    let many: Vec<_> = (0..21).map(|at| topic_of(&format!("zoo {at}"), "z")).collect();
    assert_eq!(read(&json!(many)).unwrap_err(), "guardrails.0.topics: must be an array of at most 20 items");
    let twice = json!([topic_of("Zoos", "z"), topic_of("zoos", "q")]);
    let repeated = "guardrails.0.topics.1.name: must not repeat a topic of this policy";
    assert_eq!(read(&twice).unwrap_err(), repeated);
}

#[test]
fn the_characters_of_all_examples_are_limited() {
    let topic = |at| json!({ "name": format!("zoo {at}"), "examples": vec!["z".repeat(2_000); 50] });
    assert!(read(&json!([topic(0), topic(1)])).is_ok());
    let error = read(&json!([topic(0), topic(1), topic_of("more", "z")])).unwrap_err();
    assert_eq!(error, "guardrails.0.topics: must have at most 200000 characters of examples together");
}

#[test]
fn what_responses_add_is_ignored_in_requests() {
    let mut topic = topic_of("zoos", "z");
    topic["expected_false_positives"] = json!(0.5);
    let policy = read(&json!([topic])).unwrap();
    assert_eq!(policy, read(&json!([topic_of("zoos", "z")])).unwrap());
}

#[test]
fn every_topic_has_its_expected_share_once_fitted() {
    let topics = json!([topic_of("queues", "q"), topic_of("zoos", "z")]);
    assert_eq!(compiled(&topics).expected_false_positives().count(), 0);
    let policy = fitted(&topics);
    let names: Vec<_> = policy.expected_false_positives().map(|(name, _)| name).collect();
    assert_eq!(names, ["queues", "zoos"]);
    assert!(policy.expected_false_positives().all(|(_, share)| share < 0.05));
    assert!(policy.memory_usage() > compiled(&topics).memory_usage(), "heads count");
}

#[test]
fn a_text_of_nothing_but_the_topic_has_a_bounded_number_of_findings() {
    let policy = read(&json!([topic_of("zoos", "z")])).unwrap();
    let mut inspector = CustomTopics.parse(&policy.guardrails[0].settings).unwrap();
    inspector.topics_mut().unwrap().fit(&Letters).unwrap();
    let text = "z".repeat(25);
    let mut evidence = evidence(&[(Origin::Subject, &text)], true);
    let vectors = evidence.scores.vectors.as_mut().unwrap();
    *vectors = vec![vectors[0].clone(); 5_000];
    let mut findings = Vec::new();
    inspector.inspect(&evidence, Sources::ALL, &mut findings);
    assert_eq!(findings.len(), MOST_FINDINGS + 1);
}
