//! Where the words of rules stand: those of every guardrail, marked in one walk.

use std::{
    collections::BTreeMap,
    sync::{LazyLock, OnceLock},
};

use super::Rule;
use crate::{
    detectors,
    lexicon::Lexicon,
    span::Span,
    text::{Text, View},
};

/// A word found, as one guardrail sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub span: Span,
    /// One bit for each step that the word can be, all steps of the guardrail's rules counted through.
    pub steps: u64,
}

/// Marks of a text, made when they are first asked for.
#[derive(Debug, Default)]
pub struct Marks(OnceLock<Vec<InView>>);

/// Marks of one view, by guardrail as the grammar counts them.
type InView = Vec<Vec<Mark>>;

impl Marks {
    /// The marks of a guardrail in each view of `text`; none of a guardrail that the grammar does not know.
    pub(super) fn of<'m>(
        &'m self,
        grammar: &Grammar,
        text: &Text<'_>,
        guardrail: &'static str,
    ) -> impl Iterator<Item = &'m [Mark]> {
        let views = self.0.get_or_init(|| text.views().iter().map(|view| grammar.mark(view)).collect());
        let place = grammar.guardrails.iter().position(|known| *known == guardrail);
        views.iter().map(move |view| place.map_or(&[][..], |place| view[place].as_slice()))
    }
}

/// The words of several guardrails' rules.
#[derive(Debug)]
pub(super) struct Grammar {
    guardrails: Vec<&'static str>,
    lexicon: Lexicon,
    patterns: Vec<Pattern>,
}

/// What a rule asks of a word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wanted {
    written: String,
    is_prefix: bool,
    is_exact: bool,
}

/// A word that is looked for, and for each guardrail that wants it the steps that it can be.
#[derive(Debug)]
struct Pattern {
    wanted: Wanted,
    steps: Vec<(usize, u64)>,
}

static OF_ALL: LazyLock<Grammar> = LazyLock::new(|| {
    Grammar::new(detectors::ALL.iter().map(|detector| (detector.guardrail().name, detector.rules())))
});

impl Grammar {
    /// The grammar of every guardrail.
    pub fn of_all() -> &'static Self {
        &OF_ALL
    }

    /// The grammar of some guardrails' rules, by wire name; each has at most 64 steps together.
    pub fn new(guardrails: impl IntoIterator<Item = (&'static str, &'static [Rule])>) -> Self {
        let guardrails: Vec<_> = guardrails.into_iter().filter(|(_, rules)| !rules.is_empty()).collect();
        let mut patterns = BTreeMap::<Wanted, BTreeMap<usize, u64>>::new();
        for (place, (_, rules)) in guardrails.iter().enumerate() {
            for (step, (class, _)) in rules.iter().flat_map(|rule| rule.steps).enumerate() {
                for wanted in class.iter().flat_map(|word| Wanted::variants(word)) {
                    *patterns.entry(wanted).or_default().entry(place).or_default() |= 1 << step;
                }
            }
        }
        let pattern =
            |(wanted, steps): (_, BTreeMap<_, _>)| Pattern { wanted, steps: steps.into_iter().collect() };
        let patterns: Vec<Pattern> = patterns.into_iter().map(pattern).collect();
        let lexicon = Lexicon::new(patterns.iter().map(|pattern| &*pattern.wanted.written));
        let guardrails = guardrails.into_iter().map(|(name, _)| name).collect();
        Self { guardrails, lexicon, patterns }
    }

    fn mark(&self, view: &View<'_>) -> InView {
        let mut marks = vec![Vec::new(); self.guardrails.len()];
        for (word, span) in self.lexicon.all(&view.text, view.beginnings()) {
            let Pattern { wanted, steps } = &self.patterns[word];
            if wanted.fits(&view.text, span) {
                for (place, steps) in steps {
                    marks[*place].push(Mark { span, steps: *steps });
                }
            }
        }
        marks
    }
}

impl Wanted {
    /// The word as given, and in capitals where the lexicon cannot ignore case itself.
    fn variants(word: &str) -> Vec<Self> {
        let is_exact = word.starts_with('=');
        let word = word.trim_start_matches('=');
        let is_prefix = word.ends_with('*');
        let word = word.trim_end_matches('*');
        let mut written = vec![word.to_owned(), word.to_uppercase(), capitalised(word)];
        written.truncate(if word.is_ascii() { 1 } else { 3 });
        written.into_iter().map(|written| Self { written, is_prefix, is_exact }).collect()
    }

    /// Whether it stands at `span`, where its letters do, as a word.
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

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// Whether `c` is a letter of a script that sets words apart.
fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    c.is_alphanumeric() && !matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}
