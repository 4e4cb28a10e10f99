//! Augmented texts: long harmless documents, documents with a planted text, typing errors.
//!
//! A text stays in the fold of the texts that it is made from.

use std::collections::BTreeMap;

use guardengine_classifiers::CASCADE_LABELS;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};

use crate::{
    corpus::{Labelled, Target},
    weighing::is_hard,
};

/// Number of long harmless documents to make.
const LONG: usize = 4_000;
/// Number of documents with a planted text.
const PLANTED: usize = 6_000;
/// Number of texts with a typing error.
const MISTYPED: usize = 8_000;
/// Maximum number of labels of which nothing is known in a text that counts as harmless.
const OPEN: usize = 2;
/// Minimum number of texts of a language to make documents from.
const FEW: usize = 5;
/// Maximum length, in characters, of a text that is planted or mistyped.
const SHORT: usize = 300;

/// Returns all augmented texts.
pub fn made(texts: &[Labelled], seed: u64) -> Vec<Labelled> {
    let mut random = StdRng::seed_from_u64(seed);
    let folds = 1 + texts.iter().map(|text| text.fold).max().unwrap_or(0);
    let mut made = Vec::new();
    for fold in 0..folds {
        let own: Vec<_> = texts.iter().filter(|text| text.fold == fold).collect();
        let harmless: Vec<_> = own.iter().copied().filter(|text| is_harmless(text)).collect();
        let harmful: Vec<_> = own.iter().copied().filter(|text| is_short_and_harmful(text)).collect();
        let languages = by_language(&harmless);
        // Nobody writes a document of nothing but near misses.
        let ordinary: Vec<_> = harmless.iter().copied().filter(|text| !is_hard(&text.source)).collect();
        let ordinary = by_language(&ordinary);
        made.extend(
            (0..LONG / folds).filter_map(|_| document(ordinary.choose(&mut random)?, 4..16, &mut random)),
        );
        made.extend((0..PLANTED / folds).filter_map(|_| planted(&languages, &harmful, &mut random)));
        made.extend((0..MISTYPED / folds).filter_map(|_| mistyped(&harmful, &mut random)));
    }
    made
}

/// Groups texts by language. Every language is drawn equally often, so that documents in rare ones are as often
/// harmless.
fn by_language<'t>(texts: &[&'t Labelled]) -> Vec<Vec<&'t Labelled>> {
    let mut languages: BTreeMap<&str, Vec<&Labelled>> = BTreeMap::new();
    for text in texts {
        languages.entry(&text.language).or_default().push(text);
    }
    languages.into_values().filter(|texts| texts.len() >= FEW).collect()
}

/// Returns true if no label holds, and nearly all are known or presumed to be absent.
fn is_harmless(text: &Labelled) -> bool {
    let absent = text.targets.iter().filter(|target| !target.holds && target.weight > 0.0).count();
    text.targets.iter().all(|target| !target.holds) && absent + OPEN >= CASCADE_LABELS.len()
}

fn is_short_and_harmful(text: &Labelled) -> bool {
    text.targets.iter().any(|target| target.holds) && text.text.len() <= SHORT
}

/// Joins some random texts.
fn document(from: &[&Labelled], count: std::ops::Range<usize>, random: &mut StdRng) -> Option<Labelled> {
    let count = random.random_range(count);
    let first = from.choose(random)?;
    // Its requests count as the user's.
    let mut whole = Labelled { is_given: false, ..(*first).clone() };
    "made_document".clone_into(&mut whole.source);
    for _ in 1..count {
        append(&mut whole, from.choose(random)?, random);
    }
    Some(whole)
}

/// Returns a harmful text between harmless ones of one language: its own, if it has any, half of the time.
fn planted(languages: &[Vec<&Labelled>], harmful: &[&Labelled], random: &mut StdRng) -> Option<Labelled> {
    let plant = harmful.choose(random)?;
    let own = languages.iter().find(|texts| texts[0].language == plant.language);
    let around = own.filter(|_| random.random_bool(0.5)).or_else(|| languages.choose(random))?;
    let mut whole = document(around, 1..6, random)?;
    append(&mut whole, plant, random);
    for _ in 0..random.random_range(0..4) {
        append(&mut whole, around.choose(random)?, random);
    }
    "made_planted".clone_into(&mut whole.source);
    Some(whole)
}

fn append(whole: &mut Labelled, more: &Labelled, random: &mut StdRng) {
    whole.text.push_str([" ", "\n", "\n\n"].choose(random).unwrap_or(&" "));
    whole.text.push_str(&more.text);
    for (target, other) in whole.targets.iter_mut().zip(&more.targets) {
        *target = either(*target, *other);
    }
}

/// Combines two targets: a label holds if it holds for a part, and is absent if it is absent from both.
fn either(one: Target, other: Target) -> Target {
    match (one.holds, other.holds) {
        (true, _) => one,
        (_, true) => other,
        _ => Target { holds: false, weight: one.weight.min(other.weight) },
    }
}

/// Returns a text with typing errors: about one letter in twenty is swapped with the next, left out or doubled.
fn mistyped(from: &[&Labelled], random: &mut StdRng) -> Option<Labelled> {
    let mut text = (*from.choose(random)?).clone();
    let mut letters: Vec<char> = text.text.chars().collect();
    for _ in 0..=letters.len() / 20 {
        let place = random.random_range(0..letters.len().max(2) - 1);
        match random.random_range(0..3) {
            0 if place + 1 < letters.len() => letters.swap(place, place + 1),
            1 if letters.len() > 4 => drop(letters.remove(place)),
            _ => letters.insert(place, *letters.get(place)?),
        }
    }
    text.text = letters.into_iter().collect();
    "made_mistyped".clone_into(&mut text.source);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &str, holds: bool) -> Labelled {
        let targets = [Target { holds, weight: 1.0 }; CASCADE_LABELS.len()];
        Labelled {
            text: words.to_owned(),
            source: "test".to_owned(),
            language: "en".to_owned(),
            is_given: false,
            fold: 0,
            targets,
        }
    }

    #[test]
    fn a_planted_text_keeps_its_labels_and_its_words() {
        let (harmless, harmful) = (text("fine words", false), text("bad words", true));
        let made = planted(&[vec![&harmless]], &[&harmful], &mut StdRng::seed_from_u64(1)).unwrap();
        assert!(made.text.contains("fine words") && made.text.contains("bad words"));
        assert!(made.targets.iter().all(|target| target.holds));
    }

    #[test]
    fn the_same_seed_makes_the_same_texts() {
        let mut texts = vec![text("fine words", false); FEW];
        texts.push(text("bad words", true));
        let words = |seed| made(&texts, seed).into_iter().map(|text| text.text).collect::<Vec<_>>();
        assert_eq!(words(3), words(3));
        assert_ne!(words(3), words(4));
    }
}
