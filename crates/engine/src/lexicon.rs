//! Many words at once, looked for only where a word begins.
//!
//! An automaton over the whole text waits for one table after the other at every byte. Here beginnings of words are
//! found with vector instructions, three bytes there say whether any word begins so at all, and only then words are
//! compared. Tables of a few kilobytes stand in for an automaton of megabytes.

use std::collections::BTreeMap;

use crate::span::Span;

/// Words to look for, ASCII letters in either case; none that begins with a blank.
#[derive(Debug)]
pub(crate) struct Lexicon {
    words: Vec<Box<str>>,
    // One bit for each beginning that some word has, and for each 64 of them the number of set bits before.
    beginnings: Box<[u64; BEGINNINGS / 64]>,
    before: Vec<usize>,
    // The words of each beginning that is set, the shorter first.
    groups: Vec<Vec<usize>>,
}

/// Beginnings of three bytes, of each of which five bits count: letters are told apart, cases are not.
const BEGINNINGS: usize = 1 << 15;

impl Lexicon {
    /// Makes `words` ready.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let words: Vec<Box<str>> = words.into_iter().map(Into::into).collect();
        let mut groups = BTreeMap::<usize, Vec<usize>>::new();
        for (index, word) in words.iter().enumerate() {
            for beginning in beginnings(word.as_bytes()) {
                groups.entry(beginning).or_default().push(index);
            }
        }
        let mut bits = Box::new([0; BEGINNINGS / 64]);
        for (beginning, group) in &mut groups {
            bits[beginning / 64] |= 1 << (beginning % 64);
            group.sort_by_key(|index| words[*index].len());
        }
        let before = (0..BEGINNINGS).step_by(64).map(|first| groups.range(..first).count()).collect();
        Self { words, beginnings: bits, before, groups: groups.into_values().collect() }
    }

    /// Calls `found` with the index and place of every word in `text`, in order of where they begin, the shorter first.
    /// No word follows a letter or digit of ASCII with another.
    pub fn each(&self, text: &str, mut found: impl FnMut(usize, Span)) {
        each_start(text.as_bytes(), |place| {
            for (word, span) in self.at(text, place) {
                found(word, span);
            }
        });
    }

    /// The same, but the longest alone where words overlap, the first one first.
    pub fn each_longest(&self, text: &str, mut found: impl FnMut(usize, Span)) {
        let mut done = 0;
        each_start(text.as_bytes(), |place| {
            if let Some((word, span)) = self.at(text, place).reduce(longer).filter(|_| place >= done) {
                done = span.end;
                found(word, span);
            }
        });
    }

    /// The words that stand at `place`.
    fn at(&self, text: &str, place: usize) -> impl Iterator<Item = (usize, Span)> {
        let rest = &text.as_bytes()[place..];
        let stands = move |word: &str| {
            rest.get(..word.len()).is_some_and(|there| there.eq_ignore_ascii_case(word.as_bytes()))
        };
        let there = self.group(rest).iter().filter(move |index| stands(&self.words[**index]));
        there.map(move |index| (*index, Span::new(place, place + self.words[*index].len())))
    }

    /// The words that may stand where `rest` begins.
    #[inline]
    fn group(&self, rest: &[u8]) -> &[usize] {
        let beginning = beginning(rest);
        let (block, bit) = (self.beginnings[beginning / 64], 1 << (beginning % 64));
        if block & bit == 0 {
            return &[];
        }
        &self.groups[self.before[beginning / 64] + (block & (bit - 1)).count_ones() as usize]
    }
}

/// The longer of two words at one place, the first where both are equal.
const fn longer(one: (usize, Span), next: (usize, Span)) -> (usize, Span) {
    if next.1.end > one.1.end { next } else { one }
}

/// Calls `at` with every place where a word may begin.
#[inline]
fn each_start(bytes: &[u8], mut at: impl FnMut(usize)) {
    const BLOCK: usize = 32;
    // A block with the byte before it.
    let mut read = [b' '; BLOCK + 1];
    for (block, bytes) in bytes.chunks(BLOCK).enumerate() {
        read[0] = read[BLOCK];
        read[1..].fill(b' ');
        read[1..=bytes.len()].copy_from_slice(bytes);
        let mut starts = [0; BLOCK];
        for ((start, before), here) in starts.iter_mut().zip(&read).zip(&read[1..]) {
            *start = u8::from(may_begin(*before, *here));
        }
        for (eight, starts) in starts.as_chunks::<8>().0.iter().enumerate() {
            let mut starts = u64::from_le_bytes(*starts);
            while starts != 0 {
                at(block * BLOCK + eight * 8 + starts.trailing_zeros() as usize / 8);
                starts &= starts - 1;
            }
        }
    }
}

/// Whether `here` is the first byte of a character that is no blank, and does not go on with what stands `before`.
const fn may_begin(before: u8, here: u8) -> bool {
    let goes_on = before.is_ascii_alphanumeric() & here.is_ascii_alphanumeric();
    let is_first = !matches!(here, 0x80..=0xBF);
    (here > b' ') & is_first & !goes_on
}

/// The three bytes at which `rest` begins; behind its end stands nothing that a word has.
fn beginning(rest: &[u8]) -> usize {
    let byte = |n: usize| usize::from(rest.get(n).copied().unwrap_or_default() & 31);
    byte(0) << 10 | byte(1) << 5 | byte(2)
}

/// Where words like `word` may begin: in several ways when it is shorter than they are.
fn beginnings(word: &[u8]) -> std::ops::Range<usize> {
    let first = beginning(word);
    first..first + (1 << (5 * 3_usize.saturating_sub(word.len())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WORDS: [&str; 8] = ["owl", "owlet", "a", "be", "let", "鳥", "[x]", "be"];

    #[test]
    fn words_within_words_are_found_from_their_beginning_on() {
        let (mut all, mut longest) = (Vec::new(), Vec::new());
        Lexicon::new(WORDS).each("Owlet let", |word, span| all.push((word, span.start, span.end)));
        assert_eq!(all, [(0, 0, 3), (1, 0, 5), (4, 6, 9)]);
        Lexicon::new(WORDS)
            .each_longest("an OWLET鳥 a be", |word, span| longest.push((word, span.start, span.end)));
        assert_eq!(longest, [(2, 0, 1), (1, 3, 8), (5, 8, 11), (2, 12, 13), (3, 14, 16)]);
    }

    proptest! {
        #[test]
        fn every_word_at_a_beginning_is_found(text in "([owletabx\\[\\] ]|鳥|é){0,99}") {
            let begins = |at: usize| {
                let joins = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
                !(joins(text[..at].chars().next_back()) && joins(text[at..].chars().next()))
            };
            let places = text.char_indices().map(|(at, _)| at).filter(|at| begins(*at));
            let expected: usize =
                places.map(|at| WORDS.iter().filter(|word| text[at..].starts_with(**word)).count()).sum();
            let mut found = 0;
            Lexicon::new(WORDS).each(&text, |_, _| found += 1);
            prop_assert_eq!(found, expected);
        }
    }
}
