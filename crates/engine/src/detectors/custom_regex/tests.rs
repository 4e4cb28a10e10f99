use super::*;
use crate::{evidence::Origin, span::Span, text::Text};

fn compile(pattern: &str) -> Result<NamedPattern, FieldError> {
    NamedPattern::new("badge", pattern)
}

/// Returns the findings of `patterns` in `text`, and the bytes that were read.
fn search(patterns: &[&str], text: &str) -> (Vec<Finding>, usize) {
    let part = Part::new(Origin::Subject, Text::new(text));
    let mut findings = Vec::new();
    let patterns = Patterns::new(patterns.iter().map(|pattern| compile(pattern).unwrap()).collect()).unwrap();
    let read = patterns.find(0, &part, &Deadline::none(), &mut findings, MOST_FINDINGS);
    (findings, read)
}

fn spans(pattern: &str, text: &str) -> Vec<Span> {
    search(&[pattern], text).0.into_iter().filter_map(|finding| finding.span).collect()
}

fn refused(pattern: &str) -> String {
    compile(pattern).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn a_match_is_named_by_its_pattern() {
    let (found, _) = search(&[r"EMP-\d{6}"], "Who is EMP-004711?");
    assert_eq!(found.len(), 1);
    assert_eq!((&*found[0].evidence, found[0].span), ("badge", Some(Span::new(7, 17))));
}

#[test]
fn a_match_is_the_one_that_the_pattern_prefers() {
    for (pattern, expected) in [("a+", (0, 3)), ("a+?", (0, 1)), ("b|aaab", (0, 4)), ("ab|abcd", (2, 4))] {
        assert_eq!(spans(pattern, "aaabcd")[0], Span::new(expected.0, expected.1), "{pattern}");
    }
    assert_eq!(spans(r"\bä\w+", "eine ähre"), [Span::new(5, 10)]);
    assert_eq!(spans(r"\bhre", "eine ähre"), []);
}

#[test]
fn overlapping_patterns_all_report() {
    let (found, _) = search(&["secret plan", "plan"], "the secret plan");
    assert_eq!(found.len(), 2);
}

#[test]
fn an_error_has_its_position_in_characters() {
    assert_eq!(refused("ab("), "pattern: unclosed group at position 2");
    assert_eq!(refused("é["), "pattern: unclosed character class at position 1");
    assert!(refused(r"a\p{Nonsense}").ends_with("at position 1"));
}

#[test]
fn look_around_and_back_references_are_refused() {
    assert!(refused("(?=a)").contains("look-around"));
    assert!(refused(r"(a)\1").contains("backreferences are not supported"));
}

#[test]
fn a_pattern_that_compiles_too_large_is_refused() {
    assert_eq!(refused(r"(\w{100}){100}"), "pattern: pattern compiles too large at position 0");
}

#[test]
fn too_deep_empty_and_overlong_patterns_are_refused() {
    assert!(refused(&format!("{}a{}", "(".repeat(60), ")".repeat(60))).contains("position"));
    assert!(!refused("").is_empty());
    assert!(!refused(&"a".repeat(2_001)).is_empty());
}

#[test]
fn a_pattern_needs_a_name() {
    let error = NamedPattern::new(" ", "a").err().map(|error| error.to_string());
    assert_eq!(error.map(|error| error.starts_with("name")), Some(true));
}

#[test]
fn a_pattern_that_matches_the_empty_text_is_refused_when_it_is_written() {
    let mut settings = Settings::defaults(&[]);
    settings.set("patterns", serde_json::json!([{ "name": "badge", "pattern": ".*Z|" }]));
    let error = CustomRegex.check(&settings).unwrap_err().to_string();
    assert!(error.starts_with("patterns.0.pattern: must not match the empty text"), "{error}");
    assert!(CustomRegex.parse(&settings).is_ok(), "a stored policy still runs");
}

#[test]
fn empty_matches_are_skipped_and_floods_are_cut() {
    assert_eq!(spans("x*", "abc"), []);
    assert_eq!(spans("x*", "axxc"), [Span::new(1, 3)]);
    assert_eq!(spans("a", &"a".repeat(5_000)).len(), MOST_FINDINGS);
}

/// Patterns that make a plain search read the rest of the text for each match.
const SLOW: [&str; 5] = [".*Z|", ".*Z|A", "[^Z]*Z|A", r"\b.*Z|A", "(A|AA)*Z|A"];

#[test]
fn work_grows_with_the_text_and_not_with_its_square() {
    for text in ["A", "é A "] {
        let work = |pattern: &str, length: usize| search(&[pattern], &text.repeat(length / text.len())).1;
        for pattern in SLOW {
            let (small, large) = (work(pattern, 40_000), work(pattern, 320_000));
            assert!(large <= 8 * small + MOST_FINDINGS, "{pattern}: {small} bytes, then {large}");
        }
    }
}

#[test]
fn work_does_not_grow_with_the_number_of_patterns_that_match() {
    let text = "AB".repeat(100_000);
    let work = |count: usize| search(&vec!["B.*Z|A"; count], &text);
    let (all, read) = work(MAX_PATTERNS);
    assert!(read <= (READ_PER_BYTE + 4) * text.len() + READ_AT_LEAST, "{read}");
    assert!(all.len() >= MAX_PATTERNS / 2, "each pattern that occurs is reported: {}", all.len());
}

#[test]
fn a_search_stops_at_the_deadline() {
    let part = Part::new(Origin::Subject, Text::new("EMP-004711"));
    let patterns = Patterns::new(vec![compile(r"\d").unwrap()]).unwrap();
    let (deadline, mut findings) = (Deadline::new(|| true), Vec::new());
    patterns.find(0, &part, &deadline, &mut findings, MOST_FINDINGS);
    assert!(findings.is_empty() && deadline.was_missed());
}
