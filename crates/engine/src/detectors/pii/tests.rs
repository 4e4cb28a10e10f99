use serde_json::{Value, json};

use super::{selection::SELECTED_CONFIDENCE, *};
use crate::{
    evidence::{Origin, Part},
    fields::Fields,
    guardrail::Direction,
    pii::Entity,
    scores::Scores,
    span::Span,
    text::Text,
};

fn entity(kind: &'static str, confidence: f32, value: &str) -> Entity {
    Entity {
        kind: kind.into(),
        span: Span::new(0, 3),
        confidence,
        value: value.to_owned(),
        transforms: Vec::new(),
    }
}

fn evidence() -> Evidence<'static> {
    let parts = vec![Part::new(Origin::Subject, Text::new("abc"))];
    let pii = vec![vec![entity("url", 0.6, "abc"), entity("email", 0.95, "abc")]];
    Evidence::new(Direction::Input, parts, pii, Scores::default())
}

fn selection(settings: &Value) -> Result<Selection, FieldError> {
    let settings = Settings::read(Fields::of(settings, "settings")?, GUARDRAIL.settings)?;
    Selection::of(&settings, 0.65)
}

fn findings(settings: &Value) -> Vec<(String, f32)> {
    let mut findings = Vec::new();
    PiiInspector(selection(settings).unwrap()).inspect(&evidence(), Sources::ALL, &mut findings);
    findings.into_iter().map(|finding| (finding.evidence.into_owned(), finding.confidence)).collect()
}

#[test]
fn without_a_selection_every_type_keeps_its_confidence() {
    assert_eq!(findings(&json!({})), [("url".into(), 0.6), ("email".into(), 0.95)]);
}

#[test]
fn a_selected_type_triggers_and_others_do_not() {
    assert_eq!(findings(&json!({ "pii_kinds": ["url"] })), [("url".into(), SELECTED_CONFIDENCE)]);
    assert_eq!(findings(&json!({ "pii_kinds": [] })), []);
}

#[test]
fn unknown_types_and_bad_patterns_are_reported_with_their_place() {
    let error = |settings| selection(&settings).unwrap_err().to_string();
    assert!(error(json!({ "pii_kinds": ["url", "shoe_size"] })).starts_with("pii_kinds.1: must be one of"));
    assert!(
        error(json!({ "pii_types": [{ "type": "shoe_size" }] }))
            .starts_with("pii_types.0.type: must be one of")
    );
    assert_eq!(error(json!({ "pii_types": [{ "threshold": 1 }] })), "field required: pii_types.0.type");
    let pattern = error(json!({ "pii_types": [{ "type": "url", "allow": ["a", "/(/"] }] }));
    assert!(pattern.starts_with("pii_types.0.allow.1: must be a regular expression"), "{pattern}");
}

#[test]
fn a_type_has_a_threshold_of_its_own_in_each_direction() {
    let rules = selection(&json!({ "pii_types": [
        { "type": "url", "threshold": 0.5 },
        { "type": "email", "threshold": 0.99, "direction": "output" },
    ] }))
    .unwrap();
    for (kind, confidence, direction, counts) in [
        ("url", 0.6, Direction::Input, true),
        ("url", 0.4, Direction::Output, false),
        ("email", 0.95, Direction::Input, true),
        ("email", 0.95, Direction::Output, false),
        ("iban", 0.6, Direction::Input, false),
    ] {
        assert_eq!(rules.selects(&entity(kind, confidence, "x"), direction), counts, "{kind} {confidence}");
    }
}

#[test]
fn allowed_values_and_patterns_are_let_through() {
    let rules = selection(&json!({ "pii_types": [
        { "type": "email", "allow": ["Desk@Shop.example", "/.*@partner[.]example/"] },
    ] }))
    .unwrap();
    for (value, counts) in [
        ("desk@shop.EXAMPLE", false),
        ("ann@partner.example", false),
        ("ann@partner.example.org", true),
        ("other@shop.example", true),
    ] {
        assert_eq!(rules.selects(&entity("email", 0.95, value), Direction::Input), counts, "{value}");
    }
    assert!(rules.selects(&entity("username", 0.95, "desk@shop.example"), Direction::Input));
}

#[test]
fn the_last_rule_wins_and_one_for_a_direction_over_one_for_both() {
    let rules = selection(&json!({ "pii_types": [
        { "type": "email", "strategy": "hash", "direction": "output" },
        { "type": "email", "strategy": "full" },
        { "type": "email", "strategy": "token" },
    ] }))
    .unwrap();
    let strategy = |direction, kind| rules.strategies(Strategy::Partial, direction).of(kind);
    assert_eq!(strategy(Direction::Input, "email"), Strategy::Token);
    assert_eq!(strategy(Direction::Output, "email"), Strategy::Hash);
    assert_eq!(strategy(Direction::Output, "iban"), Strategy::Partial);
}

#[test]
fn one_strategy_for_all_keeps_the_other_rules() {
    let rules = selection(&json!({ "pii_kinds": ["email"], "pii_types": [
        { "type": "email", "strategy": "hash", "allow": ["a@b.example"] },
    ] }))
    .unwrap();
    let masked = Selection::of(&rules.masked_by(Strategy::Full), 0.4).unwrap();
    assert_eq!(masked.strategies(Strategy::Full, Direction::Input).of("email"), Strategy::Full);
    assert!(!masked.selects(&entity("email", 0.95, "a@b.example"), Direction::Input));
    assert!(!masked.selects(&entity("iban", 0.95, "x"), Direction::Input));
}
