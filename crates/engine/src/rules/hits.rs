//! Finds the words of all rules in one pass.

use std::{collections::BTreeMap, sync::OnceLock};

use super::Rule;
use crate::{
    span::Span,
    text::{Text, View},
    word_matcher::WordMatcher,
};

/// A word of a guardrail's rules in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordHit {
    /// Location in the view.
    pub span: Span,
    /// The steps that the word matches, one bit each. The steps of all the guardrail's rules are numbered through.
    pub steps: u64,
}

/// Word hits in the views of one text, found on first use.
#[derive(Debug, Default)]
pub struct WordHits(OnceLock<Vec<InView>>);

/// Word hits in one view, for each guardrail of the rule set.
type InView = Vec<Vec<WordHit>>;

impl WordHits {
    /// Returns the hits of a guardrail in each view of `text`; none for a guardrail outside the rule set.
    pub(super) fn of<'h>(
        &'h self,
        rule_set: &RuleSet,
        text: &Text<'_>,
        guardrail: &'static str,
    ) -> impl Iterator<Item = &'h [WordHit]> {
        let views = self.0.get_or_init(|| text.views().iter().map(|view| rule_set.find(view)).collect());
        let place = rule_set.guardrails.iter().position(|known| *known == guardrail);
        views.iter().map(move |view| place.map_or(&[][..], |place| view[place].as_slice()))
    }
}

/// The rules of several guardrails, ready to be searched for together.
#[derive(Debug)]
pub struct RuleSet {
    guardrails: Vec<&'static str>,
    words: WordMatcher,
    // Parallel to the words.
    targets: Vec<Target>,
}

/// A word of a rule, as it must be written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct WordPattern {
    written: String,
    is_prefix: bool,
    is_exact: bool,
}

/// A word to search for, with the steps that it matches for each guardrail.
#[derive(Debug)]
struct Target {
    pattern: WordPattern,
    steps: Vec<(usize, u64)>,
}

impl RuleSet {
    /// Creates the set from each guardrail's name and rules. The rules of one guardrail have at most 64 steps in total.
    pub fn new(guardrails: impl IntoIterator<Item = (&'static str, &'static [Rule])>) -> Self {
        let guardrails: Vec<_> = guardrails.into_iter().filter(|(_, rules)| !rules.is_empty()).collect();
        let mut steps = BTreeMap::<WordPattern, BTreeMap<usize, u64>>::new();
        for (place, (_, rules)) in guardrails.iter().enumerate() {
            for (step, (class, _)) in rules.iter().flat_map(|rule| rule.steps).enumerate() {
                for pattern in class.iter().flat_map(|word| WordPattern::variants(word)) {
                    *steps.entry(pattern).or_default().entry(place).or_default() |= 1 << step;
                }
            }
        }
        let target =
            |(pattern, steps): (_, BTreeMap<_, _>)| Target { pattern, steps: steps.into_iter().collect() };
        let targets: Vec<Target> = steps.into_iter().map(target).collect();
        let words = WordMatcher::new(targets.iter().map(|target| &*target.pattern.written));
        let guardrails = guardrails.into_iter().map(|(name, _)| name).collect();
        Self { guardrails, words, targets }
    }

    fn find(&self, view: &View<'_>) -> InView {
        let mut hits = vec![Vec::new(); self.guardrails.len()];
        for (word, span) in self.words.all(&view.text, view.word_starts()) {
            let Target { pattern, steps } = &self.targets[word];
            if pattern.fits(&view.text, span) {
                for (place, steps) in steps {
                    hits[*place].push(WordHit { span, steps: *steps });
                }
            }
        }
        hits
    }
}

impl WordPattern {
    /// Returns the word, and its capitalized forms if the matcher cannot ignore its case.
    fn variants(word: &str) -> Vec<Self> {
        let is_exact = word.starts_with('=');
        let word = word.trim_start_matches('=');
        let is_prefix = word.ends_with('*');
        let word = word.trim_end_matches('*');
        let mut written = vec![word.to_owned(), word.to_uppercase(), capitalized(word)];
        written.truncate(if word.is_ascii() { 1 } else { 3 });
        written.into_iter().map(|written| Self { written, is_prefix, is_exact }).collect()
    }

    /// Returns whether the letters at `span` are this word and not part of another.
    fn fits(&self, text: &str, span: Span) -> bool {
        let word = span.of(text);
        if self.is_exact && word != self.written {
            return false;
        }
        let joins = |outer: Option<char>, inner: Option<char>| {
            outer.is_some_and(is_letter) && inner.is_some_and(is_letter)
        };
        !joins(text[..span.start].chars().next_back(), word.chars().next())
            && (self.is_prefix || !joins(text[span.end..].chars().next(), word.chars().next_back()))
    }
}

fn capitalized(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// Returns whether `c` is a letter of a script that separates words.
fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric() && !matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}
