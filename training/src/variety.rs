//! Variety of the texts of each label, and of its known negatives.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use guardengine_classifiers::CASCADE_LABELS;
use guardengine_classifiers::features::features;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

use crate::corpus::{Labelled, hash};

/// Number of hashes in the signature of a text.
const HASHES: usize = 32;
/// Near duplicates share a band of this many hashes, but for one in a hundred.
const BAND: usize = 4;
const NEAR: f64 = 0.5;
/// Characters of a piece.
const PIECE: usize = 5;
/// Pairs that the spread is measured on.
const PAIRS: usize = 2_000;

/// Variety metrics of some texts.
pub struct Variety {
    /// Number of texts.
    pub texts: usize,
    /// Different pairs of words among all pairs.
    pub distinct_pairs: f64,
    /// Different runs of four words among all such runs.
    pub distinct_fours: f64,
    /// Share of texts with a near duplicate: half of their pieces of five characters in common.
    pub near_duplicates: f64,
    /// Mean cosine distance of two texts' features.
    pub spread: f64,
}

/// Returns a table with a line for each label: its texts, then its known negatives.
pub fn table(texts: &[Labelled], seed: u64) -> String {
    let mut lines = vec![format!(
        "{:<24} {:<5} {:>7} {:>10} {:>10} {:>8} {:>7}",
        "label", "", "texts", "distinct 2", "distinct 4", "near", "spread"
    )];
    for (place, label) in CASCADE_LABELS.iter().enumerate() {
        for (holds, told) in [(true, "is"), (false, "isn't")] {
            let known =
                |text: &&Labelled| text.targets[place].holds == holds && text.targets[place].weight > 0.0;
            let some: Vec<&str> = texts.iter().filter(known).map(|text| text.text.as_str()).collect();
            let of = variety(&some, seed);
            lines.push(format!(
                "{label:<24} {told:<5} {:>7} {:>10.3} {:>10.3} {:>8.3} {:>7.3}",
                of.texts, of.distinct_pairs, of.distinct_fours, of.near_duplicates, of.spread
            ));
        }
    }
    lines.join("\n")
}

/// Measures some texts.
pub fn variety(texts: &[&str], seed: u64) -> Variety {
    Variety {
        texts: texts.len(),
        distinct_pairs: distinct(texts, 2),
        distinct_fours: distinct(texts, 4),
        near_duplicates: near_duplicates(texts),
        spread: spread(texts, seed),
    }
}

fn distinct(texts: &[&str], length: usize) -> f64 {
    let (mut all, mut different) = (0_usize, BTreeSet::new());
    for text in texts {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        for run in words.windows(length) {
            all += 1;
            different.insert(hash(run.join(" ").as_bytes()));
        }
    }
    different.len() as f64 / all.max(1) as f64
}

fn near_duplicates(texts: &[&str]) -> f64 {
    let signatures: Vec<_> = texts.iter().map(|text| signature(text)).collect();
    let mut bands: HashMap<(usize, &[u64]), Vec<usize>> = HashMap::new();
    for (place, signature) in signatures.iter().enumerate() {
        for (band, hashes) in signature.chunks(BAND).enumerate() {
            bands.entry((band, hashes)).or_default().push(place);
        }
    }
    let mut near = BTreeSet::new();
    for places in bands.values() {
        for (rank, one) in places.iter().enumerate() {
            // Among many copies, comparing with the nearest ones is enough.
            for other in places.iter().skip(rank + 1).take(20) {
                if shared(&signatures[*one], &signatures[*other]) >= NEAR {
                    near.extend([*one, *other]);
                }
            }
        }
    }
    near.len() as f64 / texts.len().max(1) as f64
}

/// Least hashes under so many orders of all hashes (MinHash, Broder 1997): the share that two texts have in common
/// estimates the share of their pieces.
fn signature(text: &str) -> [u64; HASHES] {
    let characters: Vec<char> = text.to_lowercase().chars().collect();
    let mut least = [u64::MAX; HASHES];
    for piece in characters.windows(PIECE.min(characters.len().max(1))) {
        let hashed = hash(piece.iter().collect::<String>().as_bytes());
        for (place, least) in least.iter_mut().enumerate() {
            // An odd factor permutes all numbers of 64 bits.
            let factor = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(2 * place as u64 + 1) | 1;
            *least = (*least)
                .min((hashed ^ (hashed >> 29)).wrapping_mul(factor).rotate_left(31).wrapping_mul(factor));
        }
    }
    least
}

fn shared(one: &[u64; HASHES], other: &[u64; HASHES]) -> f64 {
    one.iter().zip(other).filter(|(one, other)| one == other).count() as f64 / HASHES as f64
}

fn spread(texts: &[&str], seed: u64) -> f64 {
    if texts.len() < 2 {
        return 0.0;
    }
    let mut chance = StdRng::seed_from_u64(seed);
    let distances = (0..PAIRS).map(|_| {
        let one = chance.random_range(0..texts.len());
        let other = (one + chance.random_range(1..texts.len())) % texts.len();
        1.0 - cosine(&counts(texts[one]), &counts(texts[other]))
    });
    distances.sum::<f64>() / PAIRS as f64
}

fn counts(text: &str) -> BTreeMap<usize, f64> {
    let mut counts = BTreeMap::new();
    features(text, |row, _| *counts.entry(row).or_insert(0.0) += 1.0);
    counts
}

fn cosine(one: &BTreeMap<usize, f64>, other: &BTreeMap<usize, f64>) -> f64 {
    let length =
        |counts: &BTreeMap<usize, f64>| counts.values().map(|count| count * count).sum::<f64>().sqrt();
    let product: f64 = one.iter().filter_map(|(row, count)| Some(count * other.get(row)?)).sum();
    product / (length(one) * length(other)).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFFERENT: [&str; 3] =
        ["Where is my parcel, please?", "Ein Rezept mit Linsen und Zimt.", "fn main() { println!(\"hi\"); }"];

    #[test]
    fn texts_that_repeat_each_other_are_less_varied() {
        let repeated =
            ["Where is my parcel, please?", "Where is my parcel, please!", "Where is my parcel, pls?"];
        let (some, same) = (variety(&DIFFERENT, 7), variety(&repeated, 7));
        assert!(same.distinct_pairs < some.distinct_pairs && same.spread < some.spread);
        assert!(some.near_duplicates < 0.1 && same.near_duplicates > 0.9);
    }

    #[test]
    fn no_texts_have_no_variety() {
        let none = variety(&[], 7);
        assert_eq!((none.texts, none.near_duplicates, none.spread), (0, 0.0, 0.0));
    }
}
