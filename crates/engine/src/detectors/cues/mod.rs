//! A small grammar for wordings of high precision: words of certain classes that follow each other closely.
//!
//! One pass over a view marks every word of every class of every guardrail ([`marks`]); a [`Rule`] is a sequence of
//! classes with the most bytes that may stand between two of them, within one sentence unless the rule says otherwise.
//! What surrounds a match can lower its precision ([`context`]): quoting or asking about an attack is none.

mod context;
mod marks;
pub mod words;

pub use marks::Marks;
use marks::{Grammar, Mark};

use super::sign::{Sign, told};
use crate::{evidence::Part, span::Span};

/// Words that mean the same to a rule, in lower case. `word*` stands for whatever begins so, `=WORD` for this case alone.
pub type Class = &'static [&'static str];

/// How the words of a rule must stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// In one sentence; in full only where the first word is an order: at a beginning or after `please`, `and`, …
    Order,
    /// In one sentence.
    Phrase,
    /// In one sentence or several.
    Anywhere,
    /// The same; in full only in what the model is given to read, where nobody has business to give it orders.
    Planted,
}

/// A sequence of classes that speaks for a guardrail.
#[derive(Debug)]
pub struct Rule {
    /// What people are told.
    pub evidence: &'static str,
    /// Of the texts in which it holds, how many are of that kind (0 to 1). Our own estimate, on the low side.
    pub precision: f32,
    /// Classes in order, each with the most bytes between it and the one before.
    pub steps: &'static [(Class, usize)],
    /// How it must stand there.
    pub manner: Manner,
}

/// The most precise sign of each of a guardrail's `rules` in every view of `part`.
pub fn signs(part: &Part<'_>, guardrail: &'static str, rules: &[Rule]) -> Vec<Sign> {
    signs_by(Grammar::of_all(), part, guardrail, rules)
}

fn signs_by(grammar: &Grammar, part: &Part<'_>, guardrail: &'static str, rules: &[Rule]) -> Vec<Sign> {
    let mut signs = Vec::new();
    for (view, marks) in part.text.views().iter().zip(part.marks.of(grammar, &part.text, guardrail)) {
        let seen = marks.iter().fold(0, |seen, mark| seen | mark.steps);
        let mut first = 0;
        for rule in rules {
            if let Some((precision, span)) =
                best(rule, first, seen, marks, &view.text, part.origin.is_given())
            {
                let evidence = told(rule.evidence, &view.transforms);
                signs.push(Sign { precision, span: view.original(span), evidence });
            }
            first += rule.steps.len();
        }
    }
    signs
}

/// The most precise place at which `rule`, whose steps count from `first`, holds; `seen` are all steps that are marked.
fn best(
    rule: &Rule,
    first: usize,
    seen: u64,
    marks: &[Mark],
    text: &str,
    is_given: bool,
) -> Option<(f32, Span)> {
    let needed = ((1 << rule.steps.len()) - 1) << first;
    if seen & needed != needed {
        return None;
    }
    let begins = marks.iter().enumerate().filter(|(_, mark)| mark.steps & (1 << first) != 0);
    let spans = begins.filter_map(|(at, mark)| {
        let end = follow(rule, 1, first, &marks[at..], text)?;
        Some(Span::new(mark.span.start, end))
    });
    let judged =
        spans.map(|span| (rule.precision * context::weight(text, span, rule.manner, is_given), span));
    judged.filter(|(precision, _)| *precision > 0.0).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Where `rule` ends whose steps from `step` on follow the first of `marks`.
fn follow(rule: &Rule, step: usize, first: usize, marks: &[Mark], text: &str) -> Option<usize> {
    let here = marks.first()?.span;
    let Some((_, gap)) = rule.steps.get(step) else { return Some(here.end) };
    let near = marks.iter().enumerate().skip(1).take_while(|(_, next)| next.span.start <= here.end + gap);
    near.filter(|(_, next)| next.span.start >= here.end && next.steps & (1 << (first + step)) != 0)
        .filter(|(_, next)| {
            matches!(rule.manner, Manner::Anywhere | Manner::Planted)
                || context::is_one_sentence(&text[here.end..next.span.start])
        })
        .find_map(|(at, _)| follow(rule, step + 1, first, &marks[at..], text))
}

/// The most precise sign in a prompt.
#[cfg(test)]
pub fn highest(rules: &'static [Rule], text: &str) -> f32 {
    highest_in(crate::evidence::Origin::Subject, rules, text)
}

/// The most precise sign in a text from `origin`.
#[cfg(test)]
pub fn highest_in(origin: crate::evidence::Origin, rules: &'static [Rule], text: &str) -> f32 {
    let part = Part::new(origin, crate::text::Text::new(text));
    signs_by(&Grammar::new([("alone", rules)]), &part, "alone", rules)
        .iter()
        .map(|sign| sign.precision)
        .fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BIRDS: Class = &["owl", "кур*", "=IBIS", "鳥"];
    const VERBS: Class = &["flies", "fly"];
    static RULES: &[Rule] = &[Rule {
        evidence: "a bird flies",
        precision: 0.8,
        steps: &[(BIRDS, 0), (VERBS, 8)],
        manner: Manner::Phrase,
    }];

    fn precision(text: &str) -> Option<f32> {
        let part = Part::new(crate::evidence::Origin::Subject, crate::text::Text::new(text));
        signs_by(&Grammar::new([("birds", RULES)]), &part, "birds", RULES).first().map(|sign| sign.precision)
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
