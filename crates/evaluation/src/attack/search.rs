//! The search: single techniques first, then combinations guided by the score.

use std::collections::HashSet;

use super::{
    report::{AttackReport, AttackResult, Tally},
    technique::{TECHNIQUES, Technique, Variant},
};
use crate::{random::Random, suite::LabeledText};

/// Longest variant that is tried, in characters.
const MAX_CHARACTERS: usize = 100_000;

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Seed of all choices.
    pub seed: u64,
    /// Variants tried per attack.
    pub budget: usize,
}

/// Evaluation of a variant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment {
    /// True if the policy lets the text through.
    pub passed: bool,
    /// Distance to passing: the lower, the closer.
    pub score: f32,
}

/// A variant that passed.
#[derive(Clone, Debug)]
pub struct Passed<'t> {
    /// The attack.
    pub attack: &'t LabeledText,
    /// The changed attack.
    pub variant: Variant,
    /// Techniques that made it, in order; none for an attack that passes unchanged.
    pub techniques: Vec<&'static str>,
}

/// Changes each attack until it passes or the budget is spent. Returns the report and the variants that passed. Stops at
/// the first error of `assess`.
pub fn search<'t, E>(
    attacks: &[&'t LabeledText],
    options: Options,
    mut assess: impl FnMut(&LabeledText, &Variant) -> Result<Assessment, E>,
) -> Result<(AttackReport, Vec<Passed<'t>>), E> {
    let (mut tally, mut passed) = (Tally::default(), Vec::new());
    for &attack in attacks {
        let mut assess = |variant: &Variant| assess(attack, variant);
        let found = Search::new(attack, options).run(&mut tally, &mut assess)?;
        passed.extend(found.map(|(variant, techniques)| Passed { attack, variant, techniques }));
    }
    Ok((tally.report(options.seed, options.budget), passed))
}

/// The search for a variant of one attack.
struct Search<'t> {
    attack: &'t LabeledText,
    random: Random,
    budget: usize,
    tries: usize,
    tried: HashSet<Variant>,
}

/// A variant that passed and its techniques.
type Found = Option<(Variant, Vec<&'static str>)>;

impl<'t> Search<'t> {
    fn new(attack: &'t LabeledText, options: Options) -> Self {
        Self {
            attack,
            random: Random::for_item(options.seed, &attack.key()),
            budget: options.budget,
            tries: 0,
            tried: HashSet::new(),
        }
    }

    fn run<E>(
        mut self,
        tally: &mut Tally,
        assess: &mut impl FnMut(&Variant) -> Result<Assessment, E>,
    ) -> Result<Found, E> {
        let original = Variant::of(self.attack.text.clone());
        let mut found = assess(&original)?.passed.then(|| (original, Vec::new()));
        // A round without a new variant is the last one.
        let mut before = None;
        while found.is_none() && self.tries < self.budget && before != Some(self.tries) {
            before = Some(self.tries);
            found = self.round(tally, assess)?;
        }
        tally.add_attack(AttackResult {
            id: self.attack.key(),
            suite: self.attack.suite.clone(),
            passed: found.is_some(),
            tries: self.tries,
            techniques: found.iter().flat_map(|(_, names)| names).map(|name| (*name).to_owned()).collect(),
        });
        Ok(found)
    }

    /// Tries every technique, then combinations of two.
    fn round<E>(
        &mut self,
        tally: &mut Tally,
        assess: &mut impl FnMut(&Variant) -> Result<Assessment, E>,
    ) -> Result<Found, E> {
        let mut order: Vec<&'static Technique> = TECHNIQUES.iter().collect();
        self.random.shuffle(&mut order);
        let mut scored: Vec<(f32, &Technique)> = Vec::new();
        for technique in order {
            let variant = technique.apply(&self.attack.text, &mut self.random);
            let Some((variant, assessment)) = self.try_variant(variant, assess)? else { continue };
            tally.add_try(&[technique], assessment.passed.then_some(self.tries));
            if assessment.passed {
                return Ok(Some((variant, vec![technique.name])));
            }
            scored.push((assessment.score, technique));
        }
        scored.sort_by(|one, other| one.0.total_cmp(&other.0));
        for (first, second) in pairs(&scored) {
            let variant = first.combine(second, &self.attack.text, &mut self.random);
            let Some((variant, assessment)) = self.try_variant(variant, assess)? else { continue };
            tally.add_try(&[first, second], assessment.passed.then_some(self.tries));
            if assessment.passed {
                return Ok(Some((variant, vec![first.name, second.name])));
            }
        }
        Ok(None)
    }

    /// Evaluates a variant. `None` if there is none, it was tried before, it is too long, or the budget is spent.
    fn try_variant<E>(
        &mut self,
        variant: Option<Variant>,
        assess: &mut impl FnMut(&Variant) -> Result<Assessment, E>,
    ) -> Result<Option<(Variant, Assessment)>, E> {
        let Some(variant) = variant else { return Ok(None) };
        let is_over = self.tries >= self.budget || variant.characters() > MAX_CHARACTERS;
        if is_over || !self.tried.insert(variant.clone()) {
            return Ok(None);
        }
        self.tries += 1;
        let assessment = assess(&variant)?;
        Ok(Some((variant, assessment)))
    }
}

/// Returns pairs of techniques of different families, those first whose places in the order add up to the least.
fn pairs(scored: &[(f32, &'static Technique)]) -> Vec<(&'static Technique, &'static Technique)> {
    let mut pairs = Vec::new();
    for sum in 1..(scored.len() * 2).saturating_sub(2) {
        for first in 0..=(sum - 1) / 2 {
            let Some((_, second)) = scored.get(sum - first) else { continue };
            let (_, first) = scored[first];
            if first.family != second.family {
                pairs.push((first, *second));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attack(text: &str) -> LabeledText {
        LabeledText {
            text: text.to_owned(),
            labels: vec!["prompt_injection".to_owned()],
            ..LabeledText::default()
        }
    }

    fn run(
        texts: &[LabeledText],
        budget: usize,
        assess: impl Fn(&Variant) -> Assessment,
    ) -> (AttackReport, Vec<String>) {
        let attacks: Vec<_> = texts.iter().collect();
        let options = Options { seed: 3, budget };
        let (report, passed) = search(&attacks, options, |_, variant| Ok::<_, ()>(assess(variant))).unwrap();
        (report, passed.into_iter().map(|one| one.variant.joined()).collect())
    }

    const fn stopped(score: f32) -> Assessment {
        Assessment { passed: false, score }
    }

    #[test]
    fn nothing_passes_a_policy_that_stops_everything_and_the_budget_bounds_the_tries() {
        let (report, passed) = run(&[attack("one two three"), attack("four five six")], 50, |_| stopped(1.0));
        assert!(passed.is_empty());
        assert_eq!((report.attacks, report.stopped, report.passed, report.tries), (2, 2, 0, 100));
    }

    #[test]
    fn one_weakness_is_found_by_its_technique() {
        let assess = |variant: &Variant| Assessment { passed: variant.text.contains("bar gjb"), score: 1.0 };
        let (report, passed) = run(&[attack("one two three")], 100, assess);
        assert_eq!(passed.len(), 1);
        let rot13 = report.techniques.iter().find(|one| one.technique == "rot13").unwrap();
        assert_eq!((rot13.tried, rot13.passed), (1, 1));
        assert_eq!(rot13.median_tries, Some(report.tries as f64));
        assert_eq!(report.results[0].techniques, ["rot13"]);
    }

    #[test]
    fn combinations_begin_with_what_lowered_the_score() {
        // Passes only in full width behind a German sentence; each of the two alone lowers the score.
        let assess = |variant: &Variant| {
            let is_wide = variant.text.contains('ｏ');
            let is_german = variant.text.contains("lerne") || variant.text.contains("ｌｅｒｎｅ");
            Assessment {
                passed: is_wide && is_german,
                score: 1.0 - 0.4 * f32::from(u8::from(is_wide)) - 0.4 * f32::from(u8::from(is_german)),
            }
        };
        let (report, passed) = run(&[attack("one two three")], 100, assess);
        assert_eq!(passed.len(), 1);
        let alone: usize = report.techniques.iter().map(|one| one.tried).sum();
        assert_eq!(report.results[0].tries, alone + 1, "{:?}", report.results);
        assert_eq!(report.combinations.iter().map(|one| one.passed).sum::<usize>(), 1);
    }

    #[test]
    fn an_attack_that_passes_unchanged_needs_no_try() {
        let (report, passed) = run(&[attack("one")], 9, |_| Assessment { passed: true, score: 0.0 });
        assert_eq!((report.passed_unchanged, report.passed, report.tries), (1, 1, 0));
        assert_eq!(passed, ["one"]);
    }

    #[test]
    fn the_same_seed_tries_the_same_variants() {
        let seen = || {
            let seen = std::cell::RefCell::new(Vec::new());
            let _report = run(&[attack("one two three"), attack("four")], 200, |variant| {
                seen.borrow_mut().push(variant.clone());
                stopped(variant.text.len() as f32 % 7.0)
            });
            seen.into_inner()
        };
        assert_eq!(seen(), seen());
    }

    #[test]
    fn an_error_ends_the_search() {
        let text = attack("one");
        let result = search(&[&text], Options { seed: 1, budget: 5 }, |_, _| Err::<Assessment, _>("broken"));
        assert_eq!(result.err(), Some("broken"));
    }
}
