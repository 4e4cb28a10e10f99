//! Runs of equal words in a text and a document.

use super::{
    GAP,
    index::{Index, SHINGLE, WINDOW, shingles},
    words::Word,
};

/// Consecutive words of a text that stand in a document in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// Index of the document.
    pub document: usize,
    /// First word in the text.
    pub text: usize,
    /// First word in the index.
    pub place: usize,
    /// Words.
    pub length: usize,
}

impl Run {
    /// One past the last word in the text.
    pub const fn text_end(&self) -> usize {
        self.text + self.length
    }

    /// Whether `next` goes on in the text and in the document where this one ends, a few words between them.
    pub fn is_followed_by(&self, next: &Self) -> bool {
        let between_in_text = next.text.checked_sub(self.text_end());
        let between_in_document = next.place.checked_sub(self.place + self.length);
        self.document == next.document
            && between_in_text.is_some_and(|words| words <= GAP)
            && between_in_document.is_some_and(|words| words <= GAP)
    }
}

/// The longest runs that begin at each word not covered by an earlier one, by document and in order of the text.
pub fn runs(index: &Index, words: &[Word]) -> Vec<Run> {
    let words: Vec<u32> = words.iter().map(|word| word.hash).collect();
    let mut covered = vec![0; index.documents()];
    let mut runs: Vec<Run> = Vec::new();
    for (at, hash) in shingles(&words).into_iter().enumerate() {
        let mut longest: Option<Run> = None;
        for place in index.places(hash) {
            let (document, ..) = index.document(place);
            if at >= covered[document] {
                let next = run(index, &words, at, place, covered[document]);
                longest = longest.into_iter().chain(next).max_by_key(|run| run.length);
            }
        }
        if let Some(run) = longest {
            covered[run.document] = run.text_end();
            runs.push(run);
        }
    }
    runs.sort_unstable();
    runs
}

/// The run around the words `at` of the text and `place` of the index, not before `covered`; `None` when only hashes
/// of shingles are equal. To the left it goes no further than winnowing can have missed.
fn run(index: &Index, words: &[u32], at: usize, place: usize, covered: usize) -> Option<Run> {
    let (document, first, end) = index.document(place);
    let back = (at - covered).min(place - first).min(SHINGLE + WINDOW);
    let left = (1..=back).take_while(|n| words[at - n] == index.words[place - n]).count();
    let pairs = words[at..].iter().zip(&index.words[place..end]);
    let right = pairs.take_while(|(one, other)| one == other).count();
    let (text, place) = (at - left, place - left);
    (right >= SHINGLE).then_some(Run { document, text, place, length: left + right })
}
