//! Report of a search: which techniques made attacks pass.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use super::technique::{Family, TECHNIQUES, Technique};
use crate::table::percent;

/// Result of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AttackReport {
    /// Seed of all choices.
    pub seed: u64,
    /// Variants tried per attack, at most.
    pub budget: usize,
    /// Number of attacks.
    pub attacks: usize,
    /// Attacks of which no variant passed.
    pub stopped: usize,
    /// Attacks of which a variant passed, or that passed unchanged.
    pub passed: usize,
    /// Attacks that passed unchanged.
    pub passed_unchanged: usize,
    /// Variants tried in all.
    pub tries: usize,
    /// Each technique by itself.
    pub techniques: Vec<TechniqueReport>,
    /// Combinations of two techniques that were tried, those that passed most often first.
    pub combinations: Vec<CombinationReport>,
    /// Each attack, in the order of the file.
    pub results: Vec<AttackResult>,
}

/// One technique by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TechniqueReport {
    /// Its name.
    pub technique: String,
    /// Its family.
    pub family: Family,
    /// Variants tried.
    pub tried: usize,
    /// Variants that passed.
    pub passed: usize,
    /// Of the attacks that it made pass, the median number of tries up to that one; `None` if there are none.
    pub median_tries: Option<f64>,
}

/// Two techniques, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombinationReport {
    /// Their names.
    pub techniques: [String; 2],
    /// Variants tried.
    pub tried: usize,
    /// Variants that passed.
    pub passed: usize,
}

/// One attack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttackResult {
    /// See [`LabeledText::key`](crate::LabeledText::key).
    pub id: String,
    /// Its suite.
    pub suite: String,
    /// True if a variant passed, or the attack itself.
    pub passed: bool,
    /// Variants tried.
    pub tries: usize,
    /// Techniques of the variant that passed.
    pub techniques: Vec<String>,
}

/// Tries and passes of one technique or combination.
#[derive(Debug, Default)]
struct Count {
    tried: usize,
    /// For each pass, the number of tries up to it.
    passes: Vec<usize>,
}

/// Counts of a running search.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: BTreeMap<Vec<&'static str>, Count>,
    results: Vec<AttackResult>,
}

impl Tally {
    /// Adds a try; `passed_at` is its number if it passed.
    pub(super) fn add_try(&mut self, techniques: &[&Technique], passed_at: Option<usize>) {
        let names = techniques.iter().map(|technique| technique.name).collect();
        let count = self.counts.entry(names).or_default();
        count.tried += 1;
        count.passes.extend(passed_at);
    }

    pub(super) fn add_attack(&mut self, result: AttackResult) {
        self.results.push(result);
    }

    pub(super) fn report(self, seed: u64, budget: usize) -> AttackReport {
        let passed = self.results.iter().filter(|one| one.passed);
        AttackReport {
            seed,
            budget,
            attacks: self.results.len(),
            stopped: self.results.len() - passed.clone().count(),
            passed: passed.clone().count(),
            passed_unchanged: passed.filter(|one| one.techniques.is_empty()).count(),
            tries: self.results.iter().map(|one| one.tries).sum(),
            techniques: TECHNIQUES.iter().map(|technique| self.technique(technique)).collect(),
            combinations: self.combinations(),
            results: self.results,
        }
    }

    fn technique(&self, technique: &Technique) -> TechniqueReport {
        let count = self.counts.get(&vec![technique.name]);
        TechniqueReport {
            technique: technique.name.to_owned(),
            family: technique.family,
            tried: count.map_or(0, |count| count.tried),
            passed: count.map_or(0, |count| count.passes.len()),
            median_tries: count.and_then(|count| median(&count.passes)),
        }
    }

    fn combinations(&self) -> Vec<CombinationReport> {
        let combination = |(names, count): (&Vec<&str>, &Count)| match names.as_slice() {
            [first, second] => Some(CombinationReport {
                techniques: [(*first).to_owned(), (*second).to_owned()],
                tried: count.tried,
                passed: count.passes.len(),
            }),
            _ => None,
        };
        let mut combinations: Vec<_> = self.counts.iter().filter_map(combination).collect();
        // Stable, so equal ones stay in the order of their names.
        combinations.sort_by_key(|one| std::cmp::Reverse(one.passed));
        combinations
    }
}

fn median(values: &[usize]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    let lower = if sorted.len().is_multiple_of(2) { sorted[middle - 1] } else { upper };
    Some((lower + upper) as f64 / 2.0)
}

impl fmt::Display for AttackReport {
    /// Writes a summary and a line for each technique, then the combinations that passed.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "{} of {} attacks stopped in {} tries; {} passed unchanged, {} after a change",
            self.stopped,
            self.attacks,
            self.tries,
            self.passed_unchanged,
            self.passed - self.passed_unchanged
        )?;
        writeln!(
            out,
            "{:<44} {:<11} {:>6} {:>6} {:>6} {:>12}",
            "technique", "family", "tried", "passed", "%", "median tries"
        )?;
        for one in self.techniques.iter().filter(|one| one.tried > 0) {
            let median = one.median_tries.map_or_else(|| "-".to_owned(), |tries| format!("{tries:.1}"));
            writeln!(
                out,
                "{:<44} {:<11} {:>6} {:>6} {:>6} {median:>12}",
                one.technique,
                one.family.name(),
                one.tried,
                one.passed,
                share(one.passed, one.tried)
            )?;
        }
        let tried: usize = self.combinations.iter().map(|one| one.tried).sum();
        let passed: usize = self.combinations.iter().map(|one| one.passed).sum();
        writeln!(
            out,
            "{:<44} {:<11} {tried:>6} {passed:>6} {:>6}",
            "all combinations",
            "-",
            share(passed, tried)
        )?;
        for one in self.combinations.iter().filter(|one| one.passed > 0) {
            let name = one.techniques.join(" + ");
            writeln!(
                out,
                "{name:<44} {:<11} {:>6} {:>6} {:>6}",
                "-",
                one.tried,
                one.passed,
                share(one.passed, one.tried)
            )?;
        }
        Ok(())
    }
}

fn share(part: usize, whole: usize) -> String {
    percent((whole > 0).then(|| part as f64 / whole as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_middle_two() {
        assert_eq!(
            [median(&[]), median(&[4]), median(&[9, 1]), median(&[7, 1, 2])],
            [None, Some(4.0), Some(5.0), Some(2.0)]
        );
    }

    #[test]
    fn the_table_shows_what_was_tried_and_the_combinations_that_passed() {
        let mut tally = Tally::default();
        let [first, second] = [&TECHNIQUES[0], &TECHNIQUES[6]];
        tally.add_try(&[first], None);
        tally.add_try(&[first, second], Some(2));
        let techniques = [first.name, second.name].map(str::to_owned).to_vec();
        tally.add_attack(AttackResult {
            id: "1".to_owned(),
            suite: "a".to_owned(),
            passed: true,
            tries: 2,
            techniques,
        });
        let table = tally.report(1, 5).to_string();
        assert!(
            table.starts_with("0 of 1 attacks stopped in 2 tries; 0 passed unchanged, 1 after a change"),
            "{table}"
        );
        assert_eq!(table.lines().count(), 2 + 1 + 2, "{table}");
        assert!(table.contains("homoglyphs + hex"), "{table}");
    }
}
