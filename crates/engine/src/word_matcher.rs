//! Searches for many words at once, only where a word begins.
//!
//! An automaton over the whole text waits for a table at every byte. Here, three bytes at each word start decide whether
//! any word begins like this, and only then words are compared. Tables of a few kilobytes replace an automaton of
//! megabytes.

use std::collections::BTreeMap;

use crate::span::Span;

/// Words to search for, ASCII letters in either case. None begins with a blank.
#[derive(Debug)]
pub(crate) struct WordMatcher {
    words: Vec<Box<str>>,
    // One bit for each prefix of some word, and for each 64 bits the number of set bits before.
    prefixes: Box<[u64; PREFIXES / 64]>,
    before: Vec<usize>,
    // The words of each prefix that is set, the shorter first.
    groups: Vec<Vec<(Head, usize)>>,
}

/// The first eight bytes of a word in lower case, as a number: one comparison rules out nearly all words.
#[derive(Clone, Copy, Debug)]
struct Head {
    bytes: u64,
    // Bytes of the word.
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

    /// Returns whether a text with this head may contain the word.
    const fn begins(self, text: Self) -> bool {
        text.bytes & self.mask == self.bytes
    }
}

/// Prefixes of three bytes with five significant bits each: letters differ, cases do not.
const PREFIXES: usize = 1 << 15;

impl WordMatcher {
    /// Prepares `words`.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let words: Vec<Box<str>> = words.into_iter().map(Into::into).collect();
        let mut groups = BTreeMap::<usize, Vec<(Head, usize)>>::new();
        for (index, word) in words.iter().enumerate() {
            for prefix in prefixes(word.as_bytes()) {
                groups.entry(prefix).or_default().push((Head::of(word.as_bytes()), index));
            }
        }
        let mut bits = Box::new([0; PREFIXES / 64]);
        for (prefix, group) in &mut groups {
            bits[prefix / 64] |= 1 << (prefix % 64);
            group.sort_by_key(|(_, index)| words[*index].len());
        }
        let before = (0..PREFIXES).step_by(64).map(|first| groups.range(..first).count()).collect();
        Self { words, prefixes: bits, before, groups: groups.into_values().collect() }
    }

    /// Iterates over the words at `places` of `text`, in order, the shorter first: index and location.
    pub fn all<'l>(&'l self, text: &'l str, places: &'l [u32]) -> impl Iterator<Item = (usize, Span)> {
        self.begun(text, places).flat_map(|place| self.at(text, place))
    }

    /// Like [`Self::all`], but only the longest of overlapping words, the first one first.
    pub fn longest<'l>(&'l self, text: &'l str, places: &'l [u32]) -> impl Iterator<Item = (usize, Span)> {
        let mut done = 0;
        self.begun(text, places).filter_map(move |place| {
            let longest = self.at(text, place).reduce(longer);
            let (word, span) = longest.filter(|(_, span)| span.start >= done)?;
            done = span.end;
            Some((word, span))
        })
    }

    /// Iterates over the `places` where some word may begin. They are few, and only they are examined further.
    fn begun<'l>(&'l self, text: &'l str, places: &'l [u32]) -> impl Iterator<Item = usize> {
        let is_begun = move |place: &usize| {
            let prefix = prefix(&text.as_bytes()[*place..]);
            self.prefixes[prefix / 64] >> (prefix % 64) & 1 == 1
        };
        places.iter().map(|place| *place as usize).filter(is_begun)
    }

    /// Iterates over the words at `place`, where some word may begin.
    fn at<'l>(&'l self, text: &'l str, place: usize) -> impl Iterator<Item = (usize, Span)> {
        let rest = &text.as_bytes()[place..];
        let head = Head::of(rest);
        // A head that contains the whole word leaves nothing to compare.
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

    /// Returns the words with the prefix of `rest`, of which there are some.
    fn group(&self, rest: &[u8]) -> &[(Head, usize)] {
        let prefix = prefix(rest);
        let earlier = self.prefixes[prefix / 64] & ((1 << (prefix % 64)) - 1);
        &self.groups[self.before[prefix / 64] + earlier.count_ones() as usize]
    }
}

/// Returns the longer of two words at one place, the first if they are equal.
const fn longer(one: (usize, Span), next: (usize, Span)) -> (usize, Span) {
    if next.1.end > one.1.end { next } else { one }
}

/// Returns the prefix of `rest`. Bytes after its end match no word.
#[inline]
fn prefix(rest: &[u8]) -> usize {
    let [first, second, third] = match *rest {
        [first, second, third, ..] => [first, second, third],
        [first, second] => [first, second, 0],
        [first] => [first, 0, 0],
        [] => [0; 3],
    };
    let five = |byte: u8| usize::from(byte & 31);
    five(first) << 10 | five(second) << 5 | five(third)
}

/// Returns the prefixes of texts that begin with `word`: several if it is shorter than a prefix.
fn prefixes(word: &[u8]) -> std::ops::Range<usize> {
    let first = prefix(word);
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
