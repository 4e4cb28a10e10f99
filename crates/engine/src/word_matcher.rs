//! Many words at once, looked for only where a word begins.
//!
//! An automaton over the whole text waits for one table after the other at every byte. Here three bytes at each
//! beginning of a word say whether any word begins so at all, and only then words are compared. Tables of a few
//! kilobytes stand in for an automaton of megabytes.

use std::collections::BTreeMap;

use crate::span::Span;

/// Words to look for, ASCII letters in either case; none that begins with a blank.
#[derive(Debug)]
pub(crate) struct WordMatcher {
    words: Vec<Box<str>>,
    // One bit for each beginning that some word has, and for each 64 of them the number of set bits before.
    beginnings: Box<[u64; BEGINNINGS / 64]>,
    before: Vec<usize>,
    // The words of each beginning that is set, the shorter first.
    groups: Vec<Vec<(Head, usize)>>,
}

/// The first eight bytes of a word in lower case, as a number: one comparison settles nearly all of them.
#[derive(Clone, Copy, Debug)]
struct Head {
    bytes: u64,
    // The bytes that the word has.
    mask: u64,
}

impl Head {
    fn of(text: &[u8]) -> Self {
        let length = text.len().min(8);
        let mut bytes = [0; 8];
        bytes[..length].copy_from_slice(&text[..length]);
        bytes.make_ascii_lowercase();
        let mask = u64::MAX.checked_shr(64 - 8 * length as u32).unwrap_or(0);
        Self { bytes: u64::from_le_bytes(bytes), mask }
    }

    /// Whether a text that begins so may go on as the word does.
    const fn begins(self, text: Self) -> bool {
        text.bytes & self.mask == self.bytes
    }
}

/// Beginnings of three bytes, of each of which five bits count: letters are told apart, cases are not.
const BEGINNINGS: usize = 1 << 15;

impl WordMatcher {
    /// Makes `words` ready.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let words: Vec<Box<str>> = words.into_iter().map(Into::into).collect();
        let mut groups = BTreeMap::<usize, Vec<(Head, usize)>>::new();
        for (index, word) in words.iter().enumerate() {
            for beginning in beginnings(word.as_bytes()) {
                groups.entry(beginning).or_default().push((Head::of(word.as_bytes()), index));
            }
        }
        let mut bits = Box::new([0; BEGINNINGS / 64]);
        for (beginning, group) in &mut groups {
            bits[beginning / 64] |= 1 << (beginning % 64);
            group.sort_by_key(|(_, index)| words[*index].len());
        }
        let before = (0..BEGINNINGS).step_by(64).map(|first| groups.range(..first).count()).collect();
        Self { words, beginnings: bits, before, groups: groups.into_values().collect() }
    }

    /// Every word that stands in `text` at one of `places`, in their order, the shorter first: its index and where it
    /// stands.
    pub fn all<'l>(&'l self, text: &'l str, places: &'l [u32]) -> impl Iterator<Item = (usize, Span)> {
        self.begun(text, places).flat_map(|place| self.at(text, place))
    }

    /// The same, but the longest alone where words overlap, the first one first.
    pub fn longest<'l>(&'l self, text: &'l str, places: &'l [u32]) -> impl Iterator<Item = (usize, Span)> {
        let mut done = 0;
        self.begun(text, places).filter_map(move |place| {
            let longest = self.at(text, place).reduce(longer);
            let (word, span) = longest.filter(|(_, span)| span.start >= done)?;
            done = span.end;
            Some((word, span))
        })
    }

    /// Those of `places` where some word begins as `text` does there. Few are: everything else is done for these alone.
    fn begun<'l>(&'l self, text: &'l str, places: &'l [u32]) -> impl Iterator<Item = usize> {
        let is_begun = move |place: &usize| {
            let beginning = beginning(&text.as_bytes()[*place..]);
            self.beginnings[beginning / 64] >> (beginning % 64) & 1 == 1
        };
        places.iter().map(|place| *place as usize).filter(is_begun)
    }

    /// The words that stand at `place`, where one is begun.
    fn at<'l>(&'l self, text: &'l str, place: usize) -> impl Iterator<Item = (usize, Span)> {
        let rest = &text.as_bytes()[place..];
        let head = Head::of(rest);
        // Of a word that its head holds whole nothing is left to compare.
        let goes_on = |word: &[u8]| {
            word.len() <= 8
                || rest.get(8..word.len()).is_some_and(|there| there.eq_ignore_ascii_case(&word[8..]))
        };
        let begun = self.group(rest).iter().filter(move |(word, _)| word.begins(head));
        begun
            .map(|(_, index)| (*index, self.words[*index].as_bytes()))
            .filter(move |(_, word)| goes_on(word))
            .map(move |(index, word)| (index, Span::new(place, place + word.len())))
    }

    /// The words that begin as `rest` does, of which there are some.
    fn group(&self, rest: &[u8]) -> &[(Head, usize)] {
        let beginning = beginning(rest);
        let earlier = self.beginnings[beginning / 64] & ((1 << (beginning % 64)) - 1);
        &self.groups[self.before[beginning / 64] + earlier.count_ones() as usize]
    }
}

/// The longer of two words at one place, the first where both are equal.
const fn longer(one: (usize, Span), next: (usize, Span)) -> (usize, Span) {
    if next.1.end > one.1.end { next } else { one }
}

/// The three bytes at which `rest` begins; behind its end stands nothing that a word has.
#[inline]
fn beginning(rest: &[u8]) -> usize {
    let [first, second, third] = match *rest {
        [first, second, third, ..] => [first, second, third],
        [first, second] => [first, second, 0],
        [first] => [first, 0, 0],
        [] => [0; 3],
    };
    let five = |byte: u8| usize::from(byte & 31);
    five(first) << 10 | five(second) << 5 | five(third)
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
    fn words_within_words_are_found_and_the_longest_alone_where_asked() {
        let matcher = WordMatcher::new(WORDS);
        let (text, places) = ("an OWLET鳥 be", [0, 3, 5, 8, 12]);
        let starts = |(word, span): (usize, Span)| (word, span.start);
        let all: Vec<_> = matcher.all(text, &places).map(starts).collect();
        assert_eq!(all, [(2, 0), (0, 3), (1, 3), (4, 5), (5, 8), (3, 12), (7, 12)]);
        let longest: Vec<_> = matcher.longest(text, &places).map(starts).collect();
        assert_eq!(longest, [(2, 0), (1, 3), (5, 8), (3, 12)]);
    }

    proptest! {
        #[test]
        fn every_word_is_found_wherever_it_stands(text in "([owletabx\\[\\] ]|鳥|é){0,99}") {
            let places: Vec<u32> = text.char_indices().map(|(place, _)| place as u32).collect();
            let stand = |place: &u32| WORDS.iter().filter(|word| text[*place as usize..].starts_with(**word)).count();
            let expected: usize = places.iter().map(stand).sum();
            prop_assert_eq!(WordMatcher::new(WORDS).all(&text, &places).count(), expected);
        }
    }
}
