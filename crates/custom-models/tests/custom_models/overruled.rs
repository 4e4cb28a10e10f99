//! A classifier and the model that overrules it.

use std::sync::Mutex;

use guardengine_classifiers::{Classifier, Unavailable};
use guardengine_custom_models::{LabelProbabilities, Labels, Model, OverrideClassifier};
use guardengine_engine::{
    evidence::{Origin, Part},
    scores::{LABELS, Scored, Scores, label},
    span::Span,
    text::Text,
};

/// A classifier that gives every text that speaks of a bomb 0.9 for injection and violence, and others 0.1.
struct Ours;

impl Classifier for Ours {
    fn version(&self) -> &'static str {
        "ours"
    }

    fn score(&self, parts: &[Part<'_>]) -> Result<Scores, Unavailable> {
        let mut scored = Vec::new();
        for (part, text) in parts.iter().enumerate() {
            let view = &text.text.views()[0];
            let whole = Span::new(0, view.text.len());
            let windows = view.windows().into_iter().filter(|window| *window != whole);
            for span in std::iter::once(whole).chain(windows) {
                let mut scores = [0.1; LABELS.len()];
                if span.of(&view.text).contains("bomb") {
                    (scores[0], scores[violence()]) = (0.9, 0.9);
                }
                scored.push(Scored { part, view: 0, span, scores });
            }
        }
        Ok(Scores { scored })
    }
}

fn violence() -> usize {
    label("violence").unwrap()
}

/// A model that says 0.75 of texts with an x and 0.25 of others, and remembers what it was asked.
struct Theirs {
    labels: Labels,
    /// Bytes that it reads at once.
    most: usize,
    asked: &'static Mutex<Vec<String>>,
}

impl Model for Theirs {
    fn version(&self) -> &'static str {
        "theirs"
    }

    fn labels(&self) -> &Labels {
        &self.labels
    }

    fn fits(&self, text: &str) -> bool {
        text.len() <= self.most
    }

    fn classify(&self, stretches: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable> {
        self.asked.lock().unwrap().extend(stretches.iter().map(ToString::to_string));
        let said = |text: &&str| Some(if text.contains('x') { 0.75 } else { 0.25 });
        Ok(stretches
            .iter()
            .map(|text| self.labels.probabilities(|_| said(text), f32::max).unwrap())
            .collect())
    }
}

fn overruled(most: usize) -> (OverrideClassifier<Ours, Theirs>, &'static Mutex<Vec<String>>) {
    let asked: &'static Mutex<Vec<String>> = Box::leak(Box::default());
    let labels = "INJECTION=prompt_injection".parse().unwrap();
    (OverrideClassifier::new(Ours, Theirs { labels, most, asked }), asked)
}

fn scored(classifier: &dyn Classifier, texts: &[(Origin, &str)]) -> Vec<Scored> {
    let parts: Vec<_> = texts.iter().map(|(origin, text)| Part::new(*origin, Text::new(text))).collect();
    classifier.score(&parts).unwrap().scored
}

#[test]
fn the_model_counts_for_what_it_is_mapped_to_and_for_nothing_else() {
    let (classifier, _) = overruled(1000);
    for (text, injection) in [("a bomb", 0.25), ("an x", 0.75), ("a bomb of x", 0.75)] {
        let ours = scored(&Ours, &[(Origin::Subject, text)])[0].scores;
        let both = scored(&classifier, &[(Origin::Subject, text)])[0].scores;
        assert_eq!((both[0], &both[1..]), (injection, &ours[1..]), "{text}");
    }
    assert_eq!(classifier.version(), "ours+theirs");
}

#[test]
fn a_text_that_fits_is_read_whole_with_its_windows() {
    let (classifier, asked) = overruled(10_000);
    let text = "some words of a bomb and more ".repeat(60);
    let scored = scored(&classifier, &[(Origin::Subject, &text)]);
    assert!(scored.len() > 4 && scored.iter().all(|one| one.scores[0] == 0.25));
    assert_eq!(*asked.lock().unwrap(), [text]);
}

#[test]
fn of_a_text_that_does_not_fit_the_most_suspicious_places_are_read() {
    let (classifier, asked) = overruled(1200);
    let plain = "some words that nobody minds ".repeat(60);
    let text = format!("{plain}here is a bomb {plain}");
    let scored = scored(&classifier, &[(Origin::Subject, &text)]);
    let asked = asked.lock().unwrap();
    assert!(asked.len() <= 4 && asked[0].contains("bomb") && asked[0].len() > 640, "{}", asked[0].len());
    // Every window that shares the line was read with it, and so the whole is no more suspicious than they are.
    assert!(scored.iter().all(|one| one.scores[0] <= 0.25), "{scored:?}");
    assert!(scored.iter().any(|one| one.scores[violence()] == 0.9));
}

#[test]
fn what_the_model_sees_in_a_place_is_seen_in_the_whole() {
    let (classifier, _) = overruled(1200);
    let plain = "some words that nobody minds ".repeat(60);
    let scored = scored(&classifier, &[(Origin::Subject, &format!("{plain}a bomb of x {plain}"))]);
    assert_eq!(scored[0].scores[0], 0.75);
}

#[test]
fn what_is_read_in_part_is_judged_by_the_greater() {
    let (classifier, _) = overruled(4);
    assert_eq!(scored(&classifier, &[(Origin::Subject, "here is a bomb")])[0].scores[0], 0.9);
    assert_eq!(scored(&classifier, &[(Origin::Subject, "here is an x")])[0].scores[0], 0.75);
}

#[test]
fn four_stretches_of_a_request_are_read_and_each_once() {
    let (classifier, asked) = overruled(1000);
    let documents: Vec<String> = (0..9).map(|number| format!("document {number}")).collect();
    let mut texts = vec![(Origin::Subject, "a bomb")];
    texts.extend(documents.iter().enumerate().map(|(at, text)| (Origin::Document(at), text.as_str())));
    scored(&classifier, &texts);
    assert_eq!(asked.lock().unwrap().len(), 4);
    assert_eq!(asked.lock().unwrap()[0], "a bomb");
    scored(&classifier, &texts);
    assert_eq!(asked.lock().unwrap().len(), 4);
}

#[test]
fn joined_turns_are_read_where_they_could_be_taken_for_an_attack() {
    let (classifier, asked) = overruled(1000);
    let turns =
        |now, before, both| [(Origin::Subject, now), (Origin::Earlier, before), (Origin::Conversation, both)];
    let calm = scored(&classifier, &turns("and now", "hello", "hello and now"));
    assert_eq!(asked.lock().unwrap().as_slice(), ["and now"]);
    assert_eq!(calm[2].scores[0], 0.1);
    let heated = scored(&classifier, &turns("a bomb", "hello", "hello a bomb"));
    assert_eq!(asked.lock().unwrap()[1..], ["a bomb", "hello a bomb", "hello"]);
    assert!(heated.iter().all(|one| one.scores[0] == 0.25));
}

#[test]
fn a_model_that_fails_fails_the_request() {
    struct Broken(Labels);
    impl Model for Broken {
        fn version(&self) -> &'static str {
            "broken"
        }
        fn labels(&self) -> &Labels {
            &self.0
        }
        fn fits(&self, _: &str) -> bool {
            true
        }
        fn classify(&self, _: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable> {
            Err(Unavailable("out of order".into()))
        }
    }
    let classifier = OverrideClassifier::new(Ours, Broken("X=toxicity".parse().unwrap()));
    let parts = [Part::new(Origin::Subject, Text::new("hello"))];
    assert_eq!(classifier.score(&parts).unwrap_err(), Unavailable("out of order".into()));
}
