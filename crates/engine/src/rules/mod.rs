//! Rules: sequences of words that are strong evidence for a guardrail.
//!
//! One pass over a view finds the words of all classes of all guardrails ([`WordHits`]). A [`Rule`] is a sequence of
//! classes with the maximum number of bytes between two of them, in one sentence unless the rule says otherwise. The
//! surrounding text can lower the precision of a match: a text that quotes an attack or asks about one is no attack.

mod context;
mod hits;
mod rule_match;
pub(crate) mod word_files;
pub mod words;

use hits::WordHit;
pub use hits::{RuleSet, WordHits};
pub use rule_match::{RuleMatch, noisy_or, with_encoding};

use crate::{span::Span, text::Text};

/// Words that a rule treats alike, in lower case. `word*` matches every word with this prefix, `=WORD` this case only.
pub type WordClass = &'static [&'static str];

/// Where a rule's words must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// In one sentence. Full precision only if the first word is an order: at the beginning, or after `please`, `and`, …
    Order,
    /// In one sentence.
    Phrase,
    /// In one sentence or several.
    Anywhere,
    /// In one sentence or several. Full precision only in untrusted content, where orders do not belong.
    Planted,
}

/// A sequence of word classes that is evidence for a guardrail.
#[derive(Debug)]
pub struct Rule {
    /// Description for people.
    pub evidence: &'static str,
    /// Share of the matching texts that the guardrail means, 0 to 1. A conservative estimate.
    pub precision: f32,
    /// Word classes in order, each with the maximum number of bytes after the previous one.
    pub steps: &'static [(WordClass, usize)],
    /// Where the words must be.
    pub placement: Placement,
}

impl RuleSet {
    /// Returns the most precise match of each of a guardrail's `rules` in every view of `text`, whose words `hits` caches.
    /// `is_untrusted` is true for untrusted content, such as a document.
    pub fn matches(
        &self,
        text: &Text<'_>,
        hits: &WordHits,
        is_untrusted: bool,
        guardrail: &'static str,
        rules: &[Rule],
    ) -> Vec<RuleMatch> {
        let mut matches = Vec::new();
        for (view, hits) in text.views().iter().zip(hits.of(self, text, guardrail)) {
            let seen = hits.iter().fold(0, |seen, hit| seen | hit.steps);
            let mut first = 0;
            for rule in rules {
                if let Some((precision, span)) = best(rule, first, seen, hits, &view.text, is_untrusted) {
                    let evidence = with_encoding(rule.evidence, &view.transforms);
                    matches.push(RuleMatch { precision, span: view.original(span), evidence });
                }
                first += rule.steps.len();
            }
        }
        matches
    }
}

/// Returns the most precise match of `rule`, whose steps are numbered from `first`. `seen` holds all steps with hits.
fn best(
    rule: &Rule,
    first: usize,
    seen: u64,
    hits: &[WordHit],
    text: &str,
    is_untrusted: bool,
) -> Option<(f32, Span)> {
    let needed = ((1 << rule.steps.len()) - 1) << first;
    if seen & needed != needed {
        return None;
    }
    let begins = hits.iter().enumerate().filter(|(_, hit)| hit.steps & (1 << first) != 0);
    let spans = begins.filter_map(|(at, hit)| {
        let end = follow(rule, 1, first, &hits[at..], text)?;
        Some(Span::new(hit.span.start, end))
    });
    let weighted =
        spans.map(|span| (rule.precision * context::weight(text, span, rule.placement, is_untrusted), span));
    weighted.filter(|(precision, _)| *precision > 0.0).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Returns the end of the match of `rule` if its steps from `step` on follow the first of `hits`.
fn follow(rule: &Rule, step: usize, first: usize, hits: &[WordHit], text: &str) -> Option<usize> {
    let here = hits.first()?.span;
    let Some((_, gap)) = rule.steps.get(step) else { return Some(here.end) };
    let near = hits.iter().enumerate().skip(1).take_while(|(_, next)| next.span.start <= here.end + gap);
    near.filter(|(_, next)| next.span.start >= here.end && next.steps & (1 << (first + step)) != 0)
        .filter(|(_, next)| {
            matches!(rule.placement, Placement::Anywhere | Placement::Planted)
                || context::is_one_sentence(&text[here.end..next.span.start])
        })
        .find_map(|(at, _)| follow(rule, step + 1, first, &hits[at..], text))
}

/// Returns the highest precision of `rules` in a prompt.
#[cfg(test)]
pub fn highest(rules: &'static [Rule], text: &str) -> f32 {
    highest_in(rules, text, false)
}

/// Returns the highest precision of `rules` in untrusted content.
#[cfg(test)]
pub fn highest_in_untrusted(rules: &'static [Rule], text: &str) -> f32 {
    highest_in(rules, text, true)
}

#[cfg(test)]
fn highest_in(rules: &'static [Rule], text: &str, is_untrusted: bool) -> f32 {
    let (rule_set, text) = (RuleSet::new([("alone", rules)]), Text::new(text));
    let matches = rule_set.matches(&text, &WordHits::default(), is_untrusted, "alone", rules);
    matches.iter().map(|found| found.precision).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BIRDS: WordClass = &["owl", "кур*", "=IBIS", "鳥"];
    const VERBS: WordClass = &["flies", "fly"];
    static RULES: &[Rule] = &[Rule {
        evidence: "a bird flies",
        precision: 0.8,
        steps: &[(BIRDS, 0), (VERBS, 8)],
        placement: Placement::Phrase,
    }];

    fn precision(text: &str) -> Option<f32> {
        let rule_set = RuleSet::new([("birds", RULES)]);
        let matches = rule_set.matches(&Text::new(text), &WordHits::default(), false, "birds", RULES);
        matches.first().map(|found| found.precision)
    }

    #[test]
    fn words_of_the_classes_follow_each_other_closely_in_any_case() {
        for text in ["the OWL flies", "Курица fly", "owl (it) flies", "鳥 flies", "owl owl flies"] {
            assert_eq!(precision(text), Some(0.8), "{text}");
        }
    }

    #[test]
    fn parts_of_words_far_words_and_other_sentences_do_not() {
        for text in
            ["owls fly", "howl flies", "owl xx xx xx flies", "an owl. It flies", "flies owl", "ibis flies"]
        {
            assert_eq!(precision(text), None, "{text}");
        }
    }

    #[test]
    fn many_first_words_take_linear_time() {
        assert_eq!(precision(&"owl ".repeat(200_000)), None);
    }
}
