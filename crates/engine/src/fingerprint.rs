//! Recognizes passages of known documents, even if some words, the case, punctuation or line breaks were changed.
//!
//! Winnowing (Schleimer, Wilkerson, Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003)
//! chooses some of the documents' shingles, at least one in any `index::WINDOW` consecutive ones. A text's shingles
//! are looked up, hits are extended word by word to runs of equal words, and runs that follow each other in the text
//! and in the document are one passage. Time is linear in the text, memory in the documents.

mod index;
mod runs;
mod words;

use std::borrow::Cow;

use self::{
    index::Index,
    runs::{Run, runs},
    words::{Word, words},
};
use crate::{
    fields::FieldError,
    finding::Finding,
    rules::with_encoding,
    settings::{Default, Kind, Setting},
    span::Span,
    text::{Text, Transform, View, folded},
};

/// The setting of guardrails that recognize passages of documents.
pub const DOCUMENTS: Setting = Setting {
    name: "documents",
    kind: Kind::Texts { max_items: 1_000, max_chars: LARGEST },
    default: Default::Empty,
    help: "documents whose passages are detected.",
    is_drafted: false,
};

/// Maximum total size of the documents of one guardrail, in bytes.
pub const LARGEST: usize = 1_000_000;
/// Minimum number of equal words of a passage; an ideograph is half a word.
const SHORTEST: f32 = 12.0;
/// Maximum number of changed words between two runs of one passage, in the text and in the document.
const GAP: usize = 12;
/// Number of further equal words that halve the probability of a coincidence.
const HALF: f32 = 8.0;

/// Documents whose passages are recognized.
#[derive(Clone, Debug)]
pub struct Fingerprints {
    index: Index,
}

/// A part of a text that is also in a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Index of the document.
    pub document: usize,
    /// Location in bytes of the original.
    pub span: Span,
    /// Number of equal words; an ideograph is half a word.
    pub equal: f32,
    /// Share of the passage's words that are equal, 0 to 1.
    pub share: f32,
    /// Transforms of the view in which the passage was found.
    pub transforms: Vec<Transform>,
}

impl Passage {
    /// Returns the confidence that the passage is the document's, 0 to 1: the share of equal words, reduced by the
    /// probability of a coincidence, which every eight equal words halve. 12 words in a row give 0.65, 40 give 0.97.
    pub fn confidence(&self) -> f32 {
        self.share * (1.0 - (-self.equal / HALF).exp2())
    }

    /// Returns the passage as a finding in the part with this index.
    pub fn finding(&self, part: usize) -> Finding {
        let what: Cow<'static, str> = format!("a passage of document {}", self.document).into();
        let evidence = with_encoding(what, &self.transforms);
        let (confidence, span) = (self.confidence(), Some(self.span));
        Finding { confidence, part, span, evidence, is_learned: false }
    }
}

impl Fingerprints {
    /// Creates the fingerprints of `documents`, of at most [`LARGEST`] bytes in total.
    pub fn of(documents: &[String]) -> Result<Self, FieldError> {
        if documents.iter().map(String::len).sum::<usize>() > LARGEST {
            return Err(FieldError::value(DOCUMENTS.name, format!("at most {LARGEST} bytes together")));
        }
        let words = documents.iter().map(|document| words(&folded(document)));
        Ok(Self { index: Index::of(words) })
    }

    /// Returns the bytes of the index.
    pub fn memory_usage(&self) -> usize {
        self.index.memory_usage()
    }

    /// Returns the passages in every view of `text`. A passage recognized in a plainer view is not reported again.
    pub fn passages(&self, text: &Text<'_>) -> Vec<Passage> {
        let mut passages: Vec<Passage> = Vec::new();
        if self.index.is_empty() {
            return passages;
        }
        for view in text.views() {
            for passage in self.in_view(view) {
                let seen = |p: &Passage| p.document == passage.document && p.span.overlaps(passage.span);
                if !passages.iter().any(seen) {
                    passages.push(passage);
                }
            }
        }
        passages
    }

    fn in_view(&self, view: &View<'_>) -> Vec<Passage> {
        let words = words(&view.text);
        let runs = runs(&self.index, &words);
        let mut passages = Vec::new();
        for chain in runs.chunk_by(Run::is_followed_by) {
            passages.extend(passage(chain, &words, view));
        }
        passages
    }
}

fn passage(chain: &[Run], words: &[Word], view: &View<'_>) -> Option<Passage> {
    let equal: f32 = chain.iter().map(|run| weight(&words[run.text..run.text_end()])).sum();
    let (first, last) = (chain.first()?, chain.last()?);
    let all = &words[first.text..last.text_end()];
    let span = Span::new(all.first()?.span.start, all.last()?.span.end);
    (equal >= SHORTEST).then(|| Passage {
        document: first.document,
        span: view.original(span),
        equal,
        share: equal / weight(all),
        transforms: view.transforms.clone(),
    })
}

fn weight(words: &[Word]) -> f32 {
    words.iter().map(|word| if word.is_ideograph { 0.5 } else { 1.0 }).sum()
}

#[cfg(test)]
mod tests;
