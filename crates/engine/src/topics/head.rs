//! The head of a topic: its direction in the space, and the curve that makes confidences of scores.

use std::collections::BTreeSet;

use super::{Place, Space, curve::Curve, tail::Tail};

/// Share of the harmless texts in a language of the examples whose scores are higher than the one with a confidence of 0.5.
const EXCEEDING: f32 = 0.003;
/// The same share of harmless texts in all languages, for a language with few of them. Other languages hardly ever reach
/// the scores that texts in a topic's own language have.
const EXCEEDING_OF_ALL: f32 = 0.0003;
/// Least number of harmless texts of a language that a topic is compared with.
const LEAST_OF_LANGUAGE: usize = 20;

/// Share of the mean of the counterexamples that is subtracted. With all of it, three quarters of the topic's own texts are
/// missed where the counterexamples are near; with a third, as many as without, less a twentieth.
const COUNTERWEIGHT: f32 = 0.3;

/// The learned part of a topic.
#[derive(Debug, PartialEq)]
pub struct Head {
    direction: Box<[f32]>,
    curve: Curve,
    expected_false_positives: f32,
}

/// Harmless texts that a topic is compared with, and the share of them that may exceed its middle.
struct Harmless {
    scores: Vec<f32>,
    tail: Tail,
    exceeding: f32,
}

impl Head {
    /// Fits a head to the places of examples and counterexamples. `threshold` is the confidence from which a policy acts.
    /// `None` if the background is too small.
    pub fn fit(space: &Space, examples: &[Place], counterexamples: &[Place], threshold: f32) -> Option<Self> {
        let mut direction = mean(examples, space.width());
        for (number, counter) in direction.iter_mut().zip(mean(counterexamples, space.width())) {
            *number -= COUNTERWEIGHT * counter;
        }
        let harmless = harmless(space, &direction, examples)?;
        let middle = harmless.iter().map(|texts| texts.tail.exceeded_by(texts.exceeding));
        let curve =
            Curve::through(middle.fold(f32::NEG_INFINITY, f32::max), typical_score(&direction, examples));
        let score = curve.score(threshold);
        let share = |texts: &Harmless| texts.tail.share_above(score, texts.scores.iter().copied());
        let expected_false_positives = harmless.iter().map(share).fold(0.0, f32::max);
        Some(Self { direction: direction.into(), curve, expected_false_positives })
    }

    /// Returns the confidence that a text at this place is about the topic, 0 to 1.
    pub fn confidence(&self, place: &[f32]) -> f32 {
        self.curve.confidence(dot(place, &self.direction))
    }

    /// Returns the share of harmless texts in the topic's languages that are expected to reach the threshold.
    pub const fn expected_false_positives(&self) -> f32 {
        self.expected_false_positives
    }

    /// Returns the bytes that it takes.
    pub fn memory_usage(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.direction)
    }
}

/// Returns the scores of the harmless texts of each language of the examples, and of all.
fn harmless(space: &Space, direction: &[f32], examples: &[Place]) -> Option<Vec<Harmless>> {
    let scores: Vec<_> =
        space.background().map(|(place, language)| (dot(place, direction), language)).collect();
    let of = |language: u8| {
        let own = scores.iter().filter(|(_, other)| *other == language).map(|(score, _)| *score);
        let own: Vec<_> = own.collect();
        (own.len() >= LEAST_OF_LANGUAGE).then_some(own)
    };
    let languages: BTreeSet<u8> = examples.iter().map(|example| example.language).collect();
    let known: Vec<_> = languages.iter().filter_map(|language| of(*language)).collect();
    let exceeding = if known.len() == languages.len() { EXCEEDING } else { EXCEEDING_OF_ALL };
    let all = scores.iter().map(|(score, _)| *score).collect();
    let each = known.into_iter().map(|scores| (scores, EXCEEDING)).chain([(all, exceeding)]);
    each.map(|(scores, exceeding)| Some(Harmless { tail: Tail::of(scores.clone())?, scores, exceeding }))
        .collect()
}

/// Returns the mean score of the examples, each scored by the direction of the others.
fn typical_score(direction: &[f32], examples: &[Place]) -> f32 {
    let others = examples.len().saturating_sub(1).max(1) as f32;
    // Without an example, the mean of the others moves away from it by a share of its distance from the mean of all.
    let all = mean(examples, direction.len());
    let score = |Place { numbers, .. }: &Place| {
        dot(numbers, direction) + (dot(numbers, &all) - dot(numbers, numbers)) / others
    };
    examples.iter().map(score).sum::<f32>() / examples.len().max(1) as f32
}

fn mean(places: &[Place], width: usize) -> Vec<f32> {
    let mut mean = vec![0.0; width];
    for place in places {
        for (sum, number) in mean.iter_mut().zip(&place.numbers) {
            *sum += number / places.len() as f32;
        }
    }
    mean
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topics::TextVector;

    /// A space of which the background lies on all sides, in two languages. Texts in the second have higher first numbers.
    fn space() -> Space {
        let number = |at: usize, by: usize| ((at * by) % 101) as f32 - 50.0;
        let vector = |at: usize| {
            let mut numbers = [37, 53, 71, 89].map(|by| number(at, by));
            let language = u8::from(at.is_multiple_of(16));
            numbers[0] += 40.0 * f32::from(language);
            TextVector { numbers: numbers.into(), language }
        };
        Space::of(&(1..=404).map(vector).collect::<Vec<_>>()).unwrap()
    }

    fn placed(space: &Space, vectors: &[[f32; 4]], language: u8) -> Vec<Place> {
        let place = |vector: &[f32; 4]| Place { numbers: space.place(vector).unwrap(), language };
        vectors.iter().map(place).collect()
    }

    const EXAMPLES: [[f32; 4]; 3] = [[60.0, 5.0, 2.0, 0.0], [55.0, -4.0, 3.0, 3.0], [70.0, 1.0, -4.0, 2.0]];

    fn fit(language: u8, threshold: f32) -> Head {
        let space = space();
        Head::fit(&space, &placed(&space, &EXAMPLES, language), &[], threshold).unwrap()
    }

    #[test]
    fn the_typical_score_is_that_of_examples_that_were_left_out() {
        let space = space();
        let examples = placed(&space, &EXAMPLES, 0);
        let counter = placed(&space, &[[0.0, 9.0, 1.0, 1.0]], 0);
        let mut direction = mean(&examples, 4);
        direction.iter_mut().zip(&counter[0].numbers).for_each(|(number, counter)| *number -= counter);
        let left_out = |at: usize| {
            let mut others = examples.clone();
            let one = others.remove(at).numbers;
            dot(&one, &mean(&others, 4)) - dot(&one, &counter[0].numbers)
        };
        let expected = (0..3).map(left_out).sum::<f32>() / 3.0;
        assert!((typical_score(&direction, &examples) - expected).abs() < 1e-5);
    }

    #[test]
    fn the_same_examples_give_the_same_head() {
        assert_eq!(fit(0, 0.5), fit(0, 0.5));
    }

    #[test]
    fn texts_near_the_examples_have_a_higher_confidence_than_those_far_away() {
        let (space, head) = (space(), fit(0, 0.5));
        let confidence = |vector| head.confidence(&space.place(vector).unwrap());
        assert!(confidence(&[65.0, 3.0, 1.0, 1.0]) > confidence(&[30.0, 40.0, 10.0, 0.0]));
        assert!(confidence(&[-60.0, 3.0, 1.0, 1.0]) < 0.1);
    }

    #[test]
    fn counterexamples_lower_what_is_near_them() {
        let space = space();
        let examples = placed(&space, &EXAMPLES, 0);
        let near = placed(&space, &[[50.0, 40.0, 0.0, 0.0]], 0);
        let score = |counter: &[Place]| {
            let head = Head::fit(&space, &examples, counter, 0.5).unwrap();
            dot(&near[0].numbers, &head.direction)
        };
        assert!(score(&near) < score(&[]));
    }

    #[test]
    fn a_topic_is_compared_with_the_texts_in_each_of_its_languages_and_with_all() {
        let space = space();
        let compared = |languages: &[u8]| {
            let of = |language: &u8| placed(&space, &EXAMPLES[..1], *language).remove(0);
            let examples: Vec<_> = languages.iter().map(of).collect();
            let harmless = harmless(&space, &[1.0, 0.0, 0.0, 0.0], &examples).unwrap();
            harmless.iter().map(|texts| (texts.scores.len(), texts.exceeding)).collect::<Vec<_>>()
        };
        assert_eq!(compared(&[1, 1]), [(25, EXCEEDING), (404, EXCEEDING)]);
        assert_eq!(compared(&[0, 1]), [(379, EXCEEDING), (25, EXCEEDING), (404, EXCEEDING)]);
        assert_eq!(compared(&[0, 2]), [(379, EXCEEDING), (404, EXCEEDING_OF_ALL)]);
        let middle = |language| fit(language, 0.5).curve.score(0.5);
        assert!(middle(2) > middle(0), "a language without texts is compared with all, more strictly");
    }

    #[test]
    fn a_lower_threshold_is_expected_to_flag_more() {
        let share = |threshold| fit(1, threshold).expected_false_positives();
        assert!((share(0.5) - EXCEEDING).abs() < 1e-4, "{}", share(0.5));
        assert_eq!([share(0.0), share(1.0)], [1.0, 0.0]);
        assert!(share(0.1) > share(0.5) && share(0.5) > share(0.9));
    }
}
