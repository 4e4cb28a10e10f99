//! A small grammar for wordings of high precision: words of certain classes that follow each other closely.
//!
//! One pass over a view marks every word of every class; a [`Rule`] is a sequence of classes with the
//! most bytes that may stand between two of them, within one sentence unless the rule says otherwise. What surrounds a match can lower its
//! precision ([`context`]): quoting or asking about an attack is none.

mod context;
pub mod words;

use std::collections::BTreeMap;

use super::sign::{Sign, told};
use crate::{evidence::Part, lexicon::Lexicon, span::Span, text::View};

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

/// Rules, ready to be looked for.
#[derive(Debug)]
pub struct Grammar {
    rules: &'static [Rule],
    lexicon: Lexicon,
    patterns: Vec<Pattern>,
}

/// One word as the automaton looks for it.
#[derive(Clone, Debug)]
struct Pattern {
    written: String,
    is_prefix: bool,
    is_exact: bool,
    // One bit for each of the grammar's steps, all rules' steps counted through.
    steps: u64,
}

/// A word found.
#[derive(Clone, Copy, Debug)]
struct Token {
    span: Span,
    steps: u64,
}

impl Grammar {
    /// The grammar of `rules`, which have at most 64 steps together.
    pub fn new(rules: &'static [Rule]) -> Self {
        let mut patterns: BTreeMap<String, Pattern> = BTreeMap::new();
        let steps = rules.iter().flat_map(|rule| rule.steps).enumerate();
        for (step, word) in steps.flat_map(|(step, (class, _))| class.iter().map(move |word| (step, word))) {
            for pattern in Pattern::variants(word) {
                patterns.entry(pattern.written.clone()).or_insert(pattern).steps |= 1 << step;
            }
        }
        let patterns: Vec<Pattern> = patterns.into_values().collect();
        let lexicon = Lexicon::new(patterns.iter().map(|pattern| &*pattern.written));
        Self { rules, lexicon, patterns }
    }

    /// The most precise sign of each rule in every view of `part`.
    pub fn signs(&self, part: &Part<'_>) -> Vec<Sign> {
        part.text.views().iter().flat_map(|view| self.in_view(view)).collect()
    }

    fn in_view(&self, view: &View<'_>) -> Vec<Sign> {
        let tokens = self.tokens(view);
        let mut first = 0;
        let mut signs = Vec::new();
        for rule in self.rules {
            if let Some((precision, span)) = best(rule, first, &tokens, &view.text) {
                let evidence = told(rule.evidence, &view.transforms);
                signs.push(Sign { precision, span: view.original(span), evidence });
            }
            first += rule.steps.len();
        }
        signs
    }

    fn tokens(&self, view: &View<'_>) -> Vec<Token> {
        let words = self.lexicon.all(&view.text, view.beginnings());
        words
            .map(|(word, span)| (&self.patterns[word], span))
            .filter(|(pattern, span)| pattern.fits(&view.text, *span))
            .map(|(pattern, span)| Token { span, steps: pattern.steps })
            .collect()
    }
}

impl Pattern {
    /// The word as given, and in capitals where the automaton cannot ignore case itself.
    fn variants(word: &str) -> Vec<Self> {
        let is_exact = word.starts_with('=');
        let word = word.trim_start_matches('=');
        let is_prefix = word.ends_with('*');
        let word = word.trim_end_matches('*');
        let mut written = vec![word.to_owned(), word.to_uppercase(), capitalised(word)];
        written.truncate(if word.is_ascii() { 1 } else { 3 });
        written.into_iter().map(|written| Self { written, is_prefix, is_exact, steps: 0 }).collect()
    }

    fn fits(&self, text: &str, span: Span) -> bool {
        if self.is_exact && span.of(text) != self.written {
            return false;
        }
        let joins = |inner: Option<char>, outer: Option<char>| {
            inner.zip(outer).is_some_and(|(inner, outer)| is_letter(inner) && is_letter(outer))
        };
        let word = span.of(text);
        !joins(word.chars().next(), text[..span.start].chars().next_back())
            && (self.is_prefix || !joins(word.chars().next_back(), text[span.end..].chars().next()))
    }
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// Whether `c` is a letter of a script that sets words apart.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || (c.is_alphanumeric() && !matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'))
}

/// The most precise place at which `rule`, whose steps count from `first`, holds.
fn best(rule: &Rule, first: usize, tokens: &[Token], text: &str) -> Option<(f32, Span)> {
    let begins = tokens.iter().enumerate().filter(|(_, token)| token.steps & (1 << first) != 0);
    let spans = begins.filter_map(|(at, token)| {
        let end = follow(rule, 1, first, &tokens[at..], text)?;
        Some(Span::new(token.span.start, end))
    });
    let judged = spans.map(|span| (rule.precision * context::weight(text, span, rule.manner), span));
    judged.filter(|(precision, _)| *precision > 0.0).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Where `rule` ends whose steps from `step` on follow the first of `tokens`.
fn follow(rule: &Rule, step: usize, first: usize, tokens: &[Token], text: &str) -> Option<usize> {
    let here = tokens.first()?.span;
    let Some((_, gap)) = rule.steps.get(step) else { return Some(here.end) };
    let near = tokens.iter().enumerate().skip(1).take_while(|(_, next)| next.span.start <= here.end + gap);
    near.filter(|(_, next)| next.span.start >= here.end && next.steps & (1 << (first + step)) != 0)
        .filter(|(_, next)| {
            rule.manner == Manner::Anywhere || context::is_one_sentence(&text[here.end..next.span.start])
        })
        .find_map(|(at, _)| follow(rule, step + 1, first, &tokens[at..], text))
}

/// The most precise sign in a prompt.
#[cfg(test)]
pub fn highest(grammar: &Grammar, text: &str) -> f32 {
    let part = Part { origin: crate::evidence::Origin::Subject, text: crate::text::Text::new(text) };
    grammar.signs(&part).iter().map(|sign| sign.precision).fold(0.0, f32::max)
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
        let part = Part { origin: crate::evidence::Origin::Subject, text: crate::text::Text::new(text) };
        Grammar::new(RULES).signs(&part).first().map(|sign| sign.precision)
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
