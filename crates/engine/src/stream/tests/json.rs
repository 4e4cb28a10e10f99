use proptest::prelude::*;

use super::run;
use crate::{
    pii::mask::{MaskKeys, Strategy as Masking},
    stream::{MaskOptions, MaskStream},
};

fn masked(text: &str, strategy: Masking, chunk: usize) -> String {
    let options = MaskOptions {
        strategies: strategy.into(),
        keys: MaskKeys::new(&[7; 32]),
        selects: Box::new(|_| true),
        custom: std::sync::Arc::default(),
    };
    run(MaskStream::new(options), text, |_| chunk).0.text
}

fn full(text: &str) -> String {
    masked(text, Masking::Full, 1)
}

#[test]
fn strings_of_a_document_are_masked_and_keys_are_not() {
    assert_eq!(
        full(r#"{"to":"jane@example.com","note":"see you\nsoon","jane@example.com":true}"#),
        r#"{"to":"[EMAIL_REDACTED]","note":"see you\nsoon","jane@example.com":true}"#
    );
    assert_eq!(full(r#"{"text":"hi\njane@example.com"}"#), r#"{"text":"hi\n[EMAIL_REDACTED]"}"#);
}

#[test]
fn a_masked_number_becomes_a_string() {
    assert_eq!(full(r#"{"card": 4111111111111111}"#), r#"{"card": "[CREDIT_CARD_REDACTED]"}"#);
    assert_eq!(full("[4111111111111111]"), r#"["[CREDIT_CARD_REDACTED]"]"#);
}

#[test]
fn a_bracket_at_the_beginning_of_prose_makes_no_document() {
    assert_eq!(full("[1] 4111111111111111, see there"), "[1] [CREDIT_CARD_REDACTED], see there");
    assert_eq!(full("{name}: jane@example.com"), "{name}: [EMAIL_REDACTED]");
}

/// Documents with personal data in strings, keys and numbers.
fn documents() -> impl Strategy<Value = serde_json::Value> {
    let text = prop::sample::select(vec![
        "jane@example.com",
        "call +1 212-555-0187\nnow",
        "4111 1111 1111 1111",
        "é \"quoted\" \\ 🙂",
        "Anna Kowalska",
        "12 March 1985",
        "-----BEGIN PRIVATE KEY-----\nMIIE",
        "password",
        "fog!Lamp22",
        "",
        "\u{1}\u{7f}",
    ]);
    let leaf = prop_oneof![
        text.clone().prop_map(serde_json::Value::from),
        prop::sample::select(vec![4_111_111_111_111_111_i64, -74, 2_125_550_187])
            .prop_map(serde_json::Value::from),
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(serde_json::Value::from),
            prop::collection::vec((text.clone(), inner), 0..5).prop_map(|pairs| pairs
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect::<serde_json::Map<_, _>>()
                .into()),
        ]
    })
}

/// The same document with every leaf replaced by null.
fn shape(value: serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Array(items) => items.into_iter().map(shape).collect(),
        serde_json::Value::Object(pairs) => pairs
            .into_iter()
            .map(|(key, value)| (key, shape(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        _ => serde_json::Value::Null,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_document_stays_one_and_keeps_its_shape(document in documents(), is_pretty in any::<bool>(), chunk in 1..30_usize) {
        prop_assume!(document.is_object() || document.is_array());
        let text = if is_pretty { serde_json::to_string_pretty(&document) } else { serde_json::to_string(&document) };
        let text = text.expect("a document is written");
        for strategy in [Masking::Full, Masking::Partial, Masking::FormatPreserving, Masking::Token] {
            let shown = masked(&text, strategy, chunk);
            let read: serde_json::Value = serde_json::from_str(&shown).map_err(|error| TestCaseError::fail(format!("{error}: {shown}")))?;
            prop_assert_eq!(shape(read), shape(document.clone()), "{}", shown);
            prop_assert!(!shown.contains("jane@example.com\"") || text.contains("\"jane@example.com\":") || text.contains("\"jane@example.com\" :"), "{}", shown);
        }
    }
}
