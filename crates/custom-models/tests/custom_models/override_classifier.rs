//! A classifier and the model that overrides it.

use std::sync::{Arc, Mutex};

use guardengine_classifiers::{Classifier, Unavailable};
use guardengine_custom_models::{LabelProbabilities, Labels, Model, OverrideClassifier};
use guardengine_engine::{
    deadline::Deadline,
    evidence::{Joined, Origin, Part},
    scores::{LABELS, Scores, WindowScores, WindowVector, label},
    span::Span,
    text::Text,
    topics::{NoVectors, Space, TextVector, TopicEncoder},
};

/// A classifier that scores texts with the word "bomb" 0.9 for injection and violence. Other scores are 0.1.
struct BuiltIn;

impl Classifier for BuiltIn {
    fn version(&self) -> &'static str {
        "built-in"
    }

    fn score_until(&self, parts: &[Part<'_>], _: &Deadline) -> Result<Scores, Unavailable> {
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
                scored.push(WindowScores { part, view: 0, span, scores });
            }
        }
        Ok(Scores { scored, ..Scores::default() })
    }

    fn vectors(&self, parts: &[Part<'_>], _: &Deadline) -> Result<Vec<WindowVector>, Unavailable> {
        let vector = |(part, text): (usize, &Part<'_>)| {
            let span = Span::new(0, text.text.clean().text.len());
            WindowVector { part, view: 0, span, vector: [1.0, 2.0].into() }
        };
        Ok(parts.iter().enumerate().map(vector).collect())
    }

    fn topic_encoder(&self) -> Result<&dyn TopicEncoder, Unavailable> {
        Ok(self)
    }
}

impl TopicEncoder for BuiltIn {
    fn vector(&self, _: &str) -> Result<TextVector, NoVectors> {
        Ok(TextVector { numbers: [1.0, 2.0].into(), language: 0 })
    }

    fn space(&self) -> Result<Arc<Space>, NoVectors> {
        Err(NoVectors("no background".into()))
    }
}

fn violence() -> usize {
    label("violence").unwrap()
}

/// A model that returns 0.75 for texts with an x and 0.25 for others, and records the texts.
struct Custom {
    labels: Labels,
    /// Bytes that it reads at once.
    max_bytes: usize,
    texts: &'static Mutex<Vec<String>>,
}

impl Model for Custom {
    fn version(&self) -> &'static str {
        "custom"
    }

    fn labels(&self) -> &Labels {
        &self.labels
    }

    fn fits(&self, text: &str) -> bool {
        text.len() <= self.max_bytes
    }

    fn classify(&self, texts: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable> {
        self.texts.lock().unwrap().extend(texts.iter().map(ToString::to_string));
        let probability = |text: &&str| Some(if text.contains('x') { 0.75 } else { 0.25 });
        Ok(texts
            .iter()
            .map(|text| self.labels.probabilities(|_| probability(text), f32::max).unwrap())
            .collect())
    }
}

fn overriding(max_bytes: usize) -> (OverrideClassifier<BuiltIn, Custom>, &'static Mutex<Vec<String>>) {
    let texts: &'static Mutex<Vec<String>> = Box::leak(Box::default());
    let labels = "INJECTION=prompt_injection".parse().unwrap();
    (OverrideClassifier::new(BuiltIn, Custom { labels, max_bytes, texts }), texts)
}

fn scored(classifier: &dyn Classifier, texts: &[(Origin, &str)]) -> Vec<WindowScores> {
    let parts: Vec<_> = texts.iter().map(|(origin, text)| Part::new(*origin, Text::new(text))).collect();
    classifier.score(&parts).unwrap().scored
}

#[test]
fn overrides_only_the_mapped_guardrails() {
    let (classifier, _) = overriding(1000);
    for (text, injection) in [("a bomb", 0.25), ("an x", 0.75), ("a bomb of x", 0.75)] {
        let built_in = scored(&BuiltIn, &[(Origin::Subject, text)])[0].scores;
        let combined = scored(&classifier, &[(Origin::Subject, text)])[0].scores;
        assert_eq!((combined[0], &combined[1..]), (injection, &built_in[1..]), "{text}");
    }
    assert_eq!(classifier.version(), "built-in+custom");
}

#[test]
fn vectors_for_topics_are_those_of_the_overridden_classifier() {
    let (classifier, texts) = overriding(1000);
    let parts = [Part::new(Origin::Subject, Text::new("a bomb"))];
    let vectors = classifier.vectors(&parts, &Deadline::none()).unwrap();
    assert_eq!((vectors.len(), &*vectors[0].vector), (1, &[1.0, 2.0][..]));
    assert_eq!(&*classifier.topic_encoder().unwrap().vector("a").unwrap().numbers, [1.0, 2.0]);
    assert!(texts.lock().unwrap().is_empty(), "the custom model is not asked");
}

#[test]
fn a_text_that_fits_is_classified_once_for_all_its_windows() {
    let (classifier, texts) = overriding(10_000);
    let text = "some words of a bomb and more ".repeat(60);
    let scored = scored(&classifier, &[(Origin::Subject, &text)]);
    assert!(scored.len() > 4 && scored.iter().all(|one| one.scores[0] == 0.25));
    assert_eq!(*texts.lock().unwrap(), [text]);
}

#[test]
fn reads_the_most_suspicious_windows_of_a_long_text() {
    let (classifier, texts) = overriding(1200);
    let plain = "some words that nobody minds ".repeat(60);
    let text = format!("{plain}here is a bomb {plain}");
    let scored = scored(&classifier, &[(Origin::Subject, &text)]);
    let texts = texts.lock().unwrap();
    assert!(texts.len() <= 4 && texts[0].contains("bomb") && texts[0].len() > 640, "{}", texts[0].len());
    // All windows with the word were read, so the whole text scores no higher than they do.
    assert!(scored.iter().all(|one| one.scores[0] <= 0.25), "{scored:?}");
    assert!(scored.iter().any(|one| one.scores[violence()] == 0.9));
}

#[test]
fn a_long_text_gets_the_highest_score_of_its_windows() {
    let (classifier, _) = overriding(1200);
    let plain = "some words that nobody minds ".repeat(60);
    let scored = scored(&classifier, &[(Origin::Subject, &format!("{plain}a bomb of x {plain}"))]);
    assert_eq!(scored[0].scores[0], 0.75);
}

#[test]
fn a_truncated_text_keeps_the_higher_score() {
    let (classifier, _) = overriding(4);
    assert_eq!(scored(&classifier, &[(Origin::Subject, "here is a bomb")])[0].scores[0], 0.9);
    assert_eq!(scored(&classifier, &[(Origin::Subject, "here is an x")])[0].scores[0], 0.75);
}

#[test]
fn reads_at_most_four_windows_and_each_only_once() {
    let (classifier, texts) = overriding(1000);
    let documents: Vec<String> = (0..9).map(|number| format!("document {number}")).collect();
    let mut inputs = vec![(Origin::Subject, "a bomb")];
    inputs.extend(documents.iter().enumerate().map(|(at, text)| (Origin::Document(at), text.as_str())));
    scored(&classifier, &inputs);
    assert_eq!(texts.lock().unwrap().len(), 4);
    assert_eq!(texts.lock().unwrap()[0], "a bomb");
    scored(&classifier, &inputs);
    assert_eq!(texts.lock().unwrap().len(), 4);
}

#[test]
fn reads_joined_turns_when_they_look_like_an_attack() {
    let (classifier, texts) = overriding(1000);
    let turns = |current, earlier, joined| {
        [
            (Origin::Subject, current),
            (Origin::PriorTurns(Joined::Latest), earlier),
            (Origin::PriorTurnsAndSubject(Joined::Latest), joined),
        ]
    };
    let harmless = scored(&classifier, &turns("and now", "hello", "hello and now"));
    assert_eq!(texts.lock().unwrap().as_slice(), ["and now"]);
    assert_eq!(harmless[2].scores[0], 0.1);
    let suspicious = scored(&classifier, &turns("a bomb", "hello", "hello a bomb"));
    assert_eq!(texts.lock().unwrap()[1..], ["a bomb", "hello a bomb", "hello"]);
    assert!(suspicious.iter().all(|one| one.scores[0] == 0.25));
}

#[test]
fn a_failing_model_fails_the_request() {
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
    let classifier = OverrideClassifier::new(BuiltIn, Broken("X=toxicity".parse().unwrap()));
    let parts = [Part::new(Origin::Subject, Text::new("hello"))];
    assert_eq!(classifier.score(&parts).unwrap_err(), Unavailable("out of order".into()));
}
