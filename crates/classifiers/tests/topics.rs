//! Topics by the vectors of the encoder that is compiled in.

use guardengine_classifiers::{Cascade, Classifier as _, embedded, fit_topics};
use guardengine_engine::{
    deadline::Deadline,
    evidence::{Author, Joined, Origin, Part},
    policy::{CompiledPolicy, document::Policy},
    text::Text,
    topics::{Topic, TopicEncoder as _, Topics},
};
use serde_json::json;

const HOLIDAYS: [&str; 10] = [
    "Plan a week in Lisbon for the two of us.",
    "Can you plan a family holiday in Greece for August?",
    "Help me plan a road trip through Scotland.",
    "I need an itinerary for ten days in Japan.",
    "Put together a city break in Prague for the long weekend.",
    "What should we see in Rome in three days?",
    "Make a travel plan for our honeymoon in Bali.",
    "Where should we go on holiday with two small children?",
    "Suggest places to visit on a trip to Norway.",
    "Plan our summer vacation in Croatia, please.",
];
/// About holidays, in other words.
const UNSEEN: [&str; 5] = [
    "Draft an itinerary for our trip to Iceland with the kids.",
    "We are going to Portugal in spring, plan the trip for us.",
    "How would you spend four days in Barcelona?",
    "Plan a weekend in Vienna for my parents.",
    "Where could we spend our holidays in September?",
];
const OTHERS: [&str; 6] = [
    "Why does my printer show a paper jam when there is none?",
    "Write a function that sorts a list of integers.",
    "My invoice has the wrong VAT number on it.",
    "What is the difference between a virus and a bacterium?",
    "Summarise this meeting in three sentences.",
    "How do I reset my password?",
];

fn topics(examples: &[&str], counterexamples: &[&str]) -> Topics {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let topic = Topic {
        name: "holidays".to_owned(),
        examples: owned(examples),
        counterexamples: owned(counterexamples),
    };
    let mut topics = Topics::new(vec![topic], 0.5);
    topics.fit(embedded()).unwrap();
    topics
}

fn confidence(topics: &Topics, origin: Origin, text: &str) -> f32 {
    let parts = [Part::new(origin, Text::new(text))];
    let vectors = embedded().vectors(&parts, &Deadline::none()).unwrap();
    let mut highest: f32 = 0.0;
    for window in vectors {
        topics.score(&window.vector, |_, confidence| highest = highest.max(confidence)).unwrap();
    }
    highest
}

#[test]
fn the_background_was_made_with_the_weights_that_are_compiled_in() {
    let space = embedded().space().unwrap();
    assert_eq!((space.width(), space.background().count()), (384, 890));
}

#[test]
fn unseen_texts_about_a_topic_are_found_and_others_are_not() {
    let topics = topics(&HOLIDAYS, &[]);
    let found = |text: &&&str| confidence(&topics, Origin::Subject, text) >= 0.5;
    let missed: Vec<_> = UNSEEN.iter().filter(|text| !found(text)).collect();
    assert!(missed.len() <= 1, "{missed:?}");
    assert_eq!(OTHERS.iter().filter(found).collect::<Vec<_>>(), Vec::<&&str>::new());
}

#[test]
fn a_topic_is_found_in_a_document_too() {
    let topics = topics(&HOLIDAYS, &[]);
    let found = UNSEEN.iter().filter(|text| confidence(&topics, Origin::Document(0), text) >= 0.5).count();
    assert!(found >= 3, "{found}");
}

#[test]
fn the_same_examples_give_the_same_confidences() {
    let (one, other) = (topics(&HOLIDAYS, &OTHERS[..2]), topics(&HOLIDAYS, &OTHERS[..2]));
    for text in UNSEEN {
        let of = |topics| confidence(topics, Origin::Subject, text).to_bits();
        assert_eq!(of(&one), of(&other), "{text}");
    }
}

#[test]
fn counterexamples_lower_texts_like_them() {
    let business =
        ["Book my business trip to Frankfurt on Monday.", "Which hotel does the company pay for in Oslo?"];
    let text = "Book a hotel for my business trip to Munich.";
    let before = confidence(&topics(&HOLIDAYS, &[]), Origin::Subject, text);
    let after = confidence(&topics(&HOLIDAYS, &business), Origin::Subject, text);
    assert!(after < before, "{before} {after}");
}

#[test]
fn harmless_texts_are_expected_to_be_flagged_as_rarely_as_calibrated() {
    let shares: Vec<f32> =
        topics(&HOLIDAYS, &[]).expected_false_positives().map(|(_, share)| share).collect();
    assert!((shares[0] - 0.003).abs() < 0.001, "{shares:?}");
}

#[test]
fn every_window_of_evaluated_parts_has_a_vector() {
    let long = "The library opens at nine on weekdays and at ten on Saturdays. ".repeat(60);
    let part = |origin, text| Part::new(origin, Text::new(text));
    let parts = [
        part(Origin::Turn(0, Author::User), "hello"),
        part(Origin::PriorTurns(Joined::Latest), "hello again"),
        part(Origin::Subject, long.as_str()),
    ];
    let vectors = embedded().vectors(&parts, &Deadline::none()).unwrap();
    let of = |index: usize| vectors.iter().filter(move |window| window.part == index);
    assert_eq!([of(0).count(), of(1).count()], [1, 0]);
    assert!(of(2).count() > 3);
    assert_eq!(of(2).map(|window| window.span.end).max(), Some(long.len()));
    let unread = [part(Origin::Subject, "Read by no other test, so that it is not remembered.")];
    assert!(embedded().vectors(&unread, &Deadline::new(|| true)).is_err());
}

#[test]
fn scores_are_the_same_whether_vectors_were_read_before_or_not() {
    // Read by no other test, so that it is not remembered.
    let text = "Nine herons stood along the towpath, and the ferryman counted them twice before breakfast.";
    let scores = || embedded().score(&[Part::new(Origin::Subject, Text::new(text))]).unwrap();
    let before = scores();
    embedded().vectors(&[Part::new(Origin::Subject, Text::new(text))], &Deadline::none()).unwrap();
    for (one, other) in before.scored.iter().zip(&scores().scored) {
        assert_eq!(one.scores, other.scores);
    }
}

#[test]
fn a_classifier_without_vectors_fits_no_topic() {
    let compiled = |topics: serde_json::Value| {
        let item = json!({ "guardrail": "custom_topics", "topics": topics });
        let policy = json!({ "policyName": "a", "guardrails": [item] });
        CompiledPolicy::compile(&Policy::parse(&policy).unwrap()).unwrap()
    };
    let mut policy = compiled(json!([{ "name": "holidays", "examples": HOLIDAYS }]));
    let error = fit_topics(&mut policy, Cascade::embedded()).unwrap_err().to_string();
    assert!(error.ends_with("this classifier gives no vectors for topics"), "{error}");
    assert!(fit_topics(&mut policy, embedded()).is_ok() && policy.is_fitted());
    assert!(fit_topics(&mut compiled(json!([])), Cascade::embedded()).is_ok());
}
