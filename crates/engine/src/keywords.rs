//! Keyword lists, matched on the folded view.
//!
//! Keywords are folded like texts, and match where no letter, digit or underscore is adjacent, so that `c++` can be one.
//! Candidates may overlap: one with an adjacent letter never hides another without.

use aho_corasick::AhoCorasick;

use crate::{
    span::Span,
    text::{Text, View, folded},
};

/// Keywords, ready to be searched for.
#[derive(Clone, Debug)]
pub struct Keywords {
    // `None` if there are no keywords.
    automaton: Option<AhoCorasick>,
    // Index of each pattern in the given list.
    indices: Vec<usize>,
}

impl Keywords {
    /// Prepares `keywords`. Blank ones never match.
    pub fn new(keywords: &[String]) -> Self {
        let words = keywords.iter().map(|keyword| folded(keyword).trim().to_owned()).enumerate();
        let (indices, patterns): (Vec<_>, Vec<_>) = words.filter(|(_, word)| !word.is_empty()).unzip();
        // Building fails only beyond 2^31 states, which no policy's size allows.
        let automaton = (!patterns.is_empty()).then(|| AhoCorasick::new(&patterns).ok()).flatten();
        Self { automaton, indices }
    }

    /// Returns the bytes of the automaton.
    pub fn memory_usage(&self) -> usize {
        self.automaton.as_ref().map_or(0, AhoCorasick::memory_usage) + self.indices.len() * size_of::<usize>()
    }

    /// Returns the match that ends first in `text`: index of the keyword and location in the original.
    pub fn find(&self, text: &Text<'_>) -> Option<(usize, Span)> {
        self.find_all(text).next()
    }

    /// Iterates over the matches in `text`, ordered by their ends: index of the keyword and location in the original.
    pub fn find_all(&self, text: &Text<'_>) -> impl Iterator<Item = (usize, Span)> {
        let view = text.folded();
        self.find_folded(&view.text).map(|(index, span)| (index, view.original(span)))
    }

    /// Iterates over the matches in a folded text, in bytes of that text.
    pub fn find_folded(&self, folded: &str) -> impl Iterator<Item = (usize, Span)> {
        let hits = self.automaton.iter().flat_map(move |automaton| automaton.find_overlapping_iter(folded));
        hits.map(|hit| (self.indices[hit.pattern().as_usize()], Span::new(hit.start(), hit.end())))
            .filter(move |(_, span)| stands_alone(folded, *span))
    }

    /// Returns the matches in `view`, which is folded first: index of the keyword and location in the original.
    pub fn find_in_view(&self, view: &View<'_>) -> Vec<(usize, Span)> {
        if self.automaton.is_none() {
            return Vec::new();
        }
        let folded = view.folded();
        self.find_folded(&folded.text).map(|(index, span)| (index, folded.original(span))).collect()
    }
}

/// Returns whether no letter, digit or underscore is adjacent to `span`.
fn stands_alone(text: &str, span: Span) -> bool {
    let touches = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !touches(text[..span.start].chars().next_back()) && !touches(text[span.end..].chars().next())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn find(keywords: &[&str], text: &str) -> Option<usize> {
        let keywords: Vec<String> = keywords.iter().map(ToString::to_string).collect();
        Keywords::new(&keywords).find(&Text::new(text)).map(|(index, _)| index)
    }

    #[test]
    fn a_keyword_matches_where_no_letter_digit_or_underscore_touches_it() {
        assert_eq!(find(&["cat"], "a cat."), Some(0));
        for touched in ["cats", "concat", "cat_", "cat9", "écat", "cat猫"] {
            assert_eq!(find(&["cat"], touched), None, "{touched}");
        }
    }

    #[test]
    fn signs_can_be_part_of_a_keyword() {
        assert_eq!(find(&["c++"], "I like c++, not c"), Some(0));
        assert_eq!(find(&["c++"], "c++11"), None);
    }

    #[test]
    fn a_touched_candidate_does_not_hide_a_free_one() {
        assert_eq!(find(&["new york city", "york"], "new york citys"), Some(1));
        assert_eq!(find(&["aa bb", "bb"], "xaa bb"), Some(1));
    }

    #[test]
    fn blank_keywords_never_match() {
        assert_eq!(find(&["", "  ", "\u{200b}", "x"], "a x b"), Some(3));
        assert_eq!(find(&["", " "], "a b"), None);
    }

    proptest! {
        #[test]
        fn a_hit_points_into_the_original(keyword in "[a-z+ ]{1,6}", before in ".{0,20}", after in ".{0,20}") {
            let text = format!("{before} {keyword} {after}");
            let seen = Text::new(&text);
            for (_, span) in Keywords::new(&[keyword]).find_all(&seen) {
                prop_assert!(text.get(span.start..span.end).is_some());
            }
        }
    }
}
