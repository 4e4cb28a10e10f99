//! Finds out in one pass over a text which of many patterns occur in it.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use regex_automata::{
    Anchored, Input, MatchKind,
    hybrid::{
        LazyStateID,
        dfa::{Cache, DFA},
    },
    nfa::thompson::{self, WhichCaptures},
};
use regex_syntax::hir::Hir;

use super::hir::without_word_boundaries;
use crate::deadline::Deadline;

/// Bytes of states that a cache keeps.
const CACHE_BYTES: usize = 1 << 20;
/// Maximum number of caches that wait for the next text.
const MAX_CACHES: usize = 4;
/// Bytes between two checks of the deadline.
const CHECK_EVERY: usize = 1 << 14;

/// Patterns without empty matches, compiled into one DFA whose states are made when they are needed.
///
/// The time for a text is proportional to its length, and does not depend on the number of patterns or matches.
pub struct PatternSet {
    dfa: DFA,
    caches: Mutex<Vec<Cache>>,
}

impl PatternSet {
    /// Compiles `patterns`. `None` if they are too large for an automaton.
    pub fn new(patterns: &[Hir]) -> Option<Self> {
        let relaxed: Vec<Hir> = patterns.iter().map(without_word_boundaries).collect();
        let config = thompson::Config::new().which_captures(WhichCaptures::None);
        let nfa = thompson::Compiler::new().configure(config).build_many_from_hir(&relaxed).ok()?;
        let config = DFA::config()
            .match_kind(MatchKind::All)
            .cache_capacity(CACHE_BYTES)
            .skip_cache_capacity_check(true);
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
        Some(Self { dfa, caches: Mutex::default() })
    }

    /// Returns the indices of the patterns that may occur in `text`, in ascending order. Every pattern that occurs is
    /// among them; one with Unicode word boundaries may be among them and not occur. Stops at the `deadline`.
    pub fn candidates(&self, text: &str, deadline: &Deadline) -> Vec<usize> {
        let mut cache = self.take_cache();
        let mut pass = Pass {
            dfa: &self.dfa,
            found: vec![false; self.dfa.pattern_len()],
            seen: HashSet::new(),
            clears: 0,
        };
        // A DFA without word boundaries and limits reads every text to its end.
        if pass.run(text, &mut cache, deadline).is_none() {
            pass.found.fill(true);
        }
        self.return_cache(cache);
        pass.found.iter().enumerate().filter(|(_, found)| **found).map(|(index, _)| index).collect()
    }

    /// Returns the first place from `from` on from which a match may go on behind the end of `text`.
    ///
    /// The time is proportional to the square of what is behind `from` at most.
    pub fn open_from(&self, text: &str, from: usize) -> Option<usize> {
        let mut cache = self.take_cache();
        let mut starts = (from..text.len()).filter(|at| text.is_char_boundary(*at));
        let open = starts.find(|start| self.is_open(text, *start, &mut cache).unwrap_or(true));
        self.return_cache(cache);
        open
    }

    /// Returns whether a match that begins at `start` may go on behind the end of `text`; `None` if the automaton gave up.
    fn is_open(&self, text: &str, start: usize, cache: &mut Cache) -> Option<bool> {
        let input = Input::new(text).range(start..).anchored(Anchored::Yes);
        let mut state = self.dfa.start_state_forward(cache, &input).ok()?;
        for byte in &text.as_bytes()[start..] {
            state = self.dfa.next_state(cache, state, *byte).ok()?;
            if state.is_dead() {
                return Some(false);
            }
            if state.is_quit() {
                return None;
            }
        }
        Some(true)
    }

    fn take_cache(&self) -> Cache {
        let taken = self.caches.lock().unwrap_or_else(PoisonError::into_inner).pop();
        taken.unwrap_or_else(|| self.dfa.create_cache())
    }

    fn return_cache(&self, cache: Cache) {
        let mut caches = self.caches.lock().unwrap_or_else(PoisonError::into_inner);
        if caches.len() < MAX_CACHES {
            caches.push(cache);
        }
    }

    /// Returns the bytes of the automaton and of its caches when they are full.
    pub fn memory_usage(&self) -> usize {
        self.dfa.memory_usage() + self.dfa.get_nfa().memory_usage() + MAX_CACHES * CACHE_BYTES
    }
}

/// One pass over one text.
struct Pass<'s> {
    dfa: &'s DFA,
    found: Vec<bool>,
    /// Match states whose patterns are known.
    seen: HashSet<LazyStateID>,
    /// Number of times that the cache was cleared, which makes state ids meaningless.
    clears: usize,
}

impl Pass<'_> {
    /// Reads `text`. `None` if the automaton gave up.
    fn run(&mut self, text: &str, cache: &mut Cache, deadline: &Deadline) -> Option<()> {
        let mut state = self.dfa.start_state_forward(cache, &Input::new(text)).ok()?;
        for stretch in text.as_bytes().chunks(CHECK_EVERY) {
            if deadline.is_over() {
                return Some(());
            }
            for byte in stretch {
                state = self.dfa.next_state(cache, state, *byte).ok()?;
                if state.is_tagged() {
                    if state.is_dead() {
                        return Some(());
                    }
                    if state.is_quit() {
                        return None;
                    }
                    self.note(state, cache);
                }
            }
        }
        let last = self.dfa.next_eoi_state(cache, state).ok()?;
        self.note(last, cache);
        Some(())
    }

    fn note(&mut self, state: LazyStateID, cache: &Cache) {
        if !state.is_match() {
            return;
        }
        if cache.clear_count() != self.clears {
            self.clears = cache.clear_count();
            self.seen.clear();
        }
        if self.seen.insert(state) {
            for index in 0..self.dfa.match_len(cache, state) {
                self.found[self.dfa.match_pattern(cache, state, index).as_usize()] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(patterns: &[&str], text: &str) -> Vec<usize> {
        let patterns: Vec<Hir> =
            patterns.iter().map(|pattern| regex_syntax::parse(pattern).unwrap()).collect();
        PatternSet::new(&patterns).unwrap().candidates(text, &Deadline::none())
    }

    #[test]
    fn overlapping_patterns_are_all_found() {
        assert_eq!(candidates(&["a.*z", "b", "q", "z$", "^x"], "a b z"), [0, 1, 3]);
    }

    #[test]
    fn word_boundaries_in_other_scripts_do_not_hide_a_pattern() {
        assert_eq!(candidates(&[r"\bcafé\b", r"\bthé\b"], "un café, s'il vous plaît"), [0]);
    }

    #[test]
    fn a_match_that_has_begun_may_go_on() {
        let set = PatternSet::new(&[regex_syntax::parse(r"EMP-\d{3}|x+y").unwrap()]).unwrap();
        for (text, open) in [
            ("id EMP", Some(3)),
            ("id EMP-12", Some(3)),
            ("id EMP-1z E", Some(10)),
            ("äxx", Some(2)),
            ("id EMP-1z", None),
            ("", None),
        ] {
            assert_eq!(set.open_from(text, 0), open, "{text}");
        }
        assert_eq!(set.open_from("EMP-12", 1), None);
    }

    #[test]
    fn a_set_without_patterns_finds_nothing() {
        assert_eq!(candidates(&[], "text"), [0; 0]);
    }

    #[test]
    fn a_pass_stops_at_the_deadline() {
        let set = PatternSet::new(&[regex_syntax::parse("a").unwrap()]).unwrap();
        let deadline = Deadline::new(|| true);
        assert_eq!((set.candidates("a", &deadline), deadline.was_missed()), (vec![], true));
    }
}
