//! Rewrites of parsed patterns.

use regex_syntax::hir::{Hir, HirKind, Look, LookSet, Repetition};

/// Returns whether `hir` matches the empty text.
pub fn is_nullable(hir: &Hir) -> bool {
    hir.properties().minimum_len() == Some(0)
}

/// Returns a pattern for the matches of `hir` that are not empty.
///
/// In a sequence of parts that can all be empty, the first part that is not empty decides; assertions before it are
/// kept. The result is at most as long as the square of `hir`.
pub fn without_empty_matches(hir: &Hir) -> Hir {
    if !is_nullable(hir) {
        return hir.clone();
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Hir::fail(),
        HirKind::Literal(_) | HirKind::Class(_) => hir.clone(),
        HirKind::Capture(capture) => without_empty_matches(&capture.sub),
        HirKind::Repetition(repetition) => repeated(repetition),
        HirKind::Alternation(branches) => {
            Hir::alternation(branches.iter().map(without_empty_matches).collect())
        }
        HirKind::Concat(parts) => {
            Hir::alternation((0..parts.len()).map(|first| from(parts, first)).collect())
        }
    }
}

/// Returns a pattern for `repetition` with a first round that is not empty.
fn repeated(repetition: &Repetition) -> Hir {
    if repetition.max == Some(0) {
        return Hir::fail();
    }
    let rest = Repetition { min: 0, max: repetition.max.map(|max| max - 1), ..repetition.clone() };
    Hir::concat(vec![without_empty_matches(&repetition.sub), Hir::repetition(rest)])
}

/// Returns a pattern for the sequence whose parts before `first` are empty, and whose part `first` is not.
fn from(parts: &[Hir], first: usize) -> Hir {
    let assertions = parts[..first].iter().filter(|part| matches!(part.kind(), HirKind::Look(_))).cloned();
    let rest = parts[first + 1..].iter().cloned();
    Hir::concat(assertions.chain([without_empty_matches(&parts[first])]).chain(rest).collect())
}

/// Returns `hir` without its Unicode word boundaries, on which a DFA gives up. It matches wherever `hir` does.
pub fn without_word_boundaries(hir: &Hir) -> Hir {
    if !hir.properties().look_set().contains_word_unicode() {
        return hir.clone();
    }
    let all = |parts: &[Hir]| parts.iter().map(without_word_boundaries).collect();
    match hir.kind() {
        HirKind::Look(look) if is_word_boundary(*look) => Hir::empty(),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => hir.clone(),
        HirKind::Capture(capture) => without_word_boundaries(&capture.sub),
        HirKind::Repetition(repetition) => {
            Hir::repetition(repetition.with(without_word_boundaries(&repetition.sub)))
        }
        HirKind::Alternation(branches) => Hir::alternation(all(branches)),
        HirKind::Concat(parts) => Hir::concat(all(parts)),
    }
}

fn is_word_boundary(look: Look) -> bool {
    LookSet::singleton(look).contains_word_unicode()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex_automata::meta::Regex;

    use super::*;

    fn parse(pattern: &str) -> Hir {
        regex_syntax::parse(pattern).unwrap()
    }

    fn compile(hir: &Hir) -> Regex {
        Regex::builder().build_from_hir(hir).unwrap()
    }

    #[test]
    fn patterns_that_match_the_empty_text_are_nullable() {
        for pattern in ["x*", ".*Z|", "(a|b)?", "^", r"\b", "a{0}", "(?:a*b*)+"] {
            assert!(is_nullable(&parse(pattern)), "{pattern}");
            assert!(!is_nullable(&without_empty_matches(&parse(pattern))), "{pattern}");
        }
        for pattern in ["x", "x*y", r"\bx", "^x"] {
            assert!(!is_nullable(&parse(pattern)), "{pattern}");
        }
    }

    #[test]
    fn an_assertion_before_an_optional_part_still_holds() {
        let regex = compile(&without_empty_matches(&parse("^(secret)?")));
        assert!(regex.is_match("secret plans") && !regex.is_match("no secret"));
    }

    proptest! {
        #[test]
        fn texts_that_match_as_a_whole_still_do(pattern in "[ab](\\|?[ab(]?[ab]\\*?\\)?[?*]?){0,4}", text in "[ab]{1,5}") {
            prop_assume!(regex_syntax::parse(&pattern).is_ok());
            let nullable = parse(&format!("(?:{pattern})*"));
            let whole = |hir| compile(&Hir::concat(vec![Hir::look(Look::Start), hir, Hir::look(Look::End)]));
            let rewritten = without_empty_matches(&nullable);
            prop_assert_eq!(whole(rewritten).is_match(&text), whole(nullable).is_match(&text));
        }
    }
}
