use proptest::{
    collection, prelude::any, prop_assert, prop_assert_eq, prop_assert_ne, prop_assume, proptest,
};

use super::*;
use crate::{span::Span, text::Transform};

fn keys() -> MaskKeys {
    MaskKeys::new(&[7; 32])
}

fn found(kind: &'static str, text: &str, value: &str, confidence: f32) -> Entity {
    let start = text.find(value).expect("the value is in the text");
    let span = Span::new(start, start + value.len());
    Entity { kind: kind.into(), span, confidence, value: value.to_owned(), transforms: Vec::new() }
}

const TEXT: &str = "Write to jane.doe@example.com or call +1 415-555-2671  today.";

fn both() -> Vec<Entity> {
    let email = found("email", TEXT, "jane.doe@example.com", 0.99);
    vec![email, found("phone_number", TEXT, "+1 415-555-2671", 0.9)]
}

fn masked(strategy: Strategy) -> String {
    mask(TEXT, &both(), strategy, &keys()).text
}

#[test]
fn full_leaves_a_marker_with_the_kind() {
    assert_eq!(masked(Strategy::Full), "Write to [EMAIL_REDACTED] or call [PHONE_NUMBER_REDACTED]  today.");
}

#[test]
fn partial_keeps_the_last_four_of_a_number() {
    let phone = [found("phone_number", TEXT, "+1 415-555-2671", 0.9)];
    let masked = mask(TEXT, &phone, Strategy::Partial, &keys()).text;
    assert_eq!(masked, "Write to jane.doe@example.com or call +* ***-***-2671  today.");
}

#[test]
fn initials_are_what_is_left_of_a_name() {
    assert_eq!(keep_initials("Jane Smith"), "J*** S****");
    assert_eq!(keep_initials("Jean-Pierre O'Neill"), "J***-P***** O'*****");
    assert_eq!(keep_initials("Зоя Иванова"), "З** И******");
}

#[test]
fn a_format_preserving_e_mail_keeps_domain_and_shape() {
    let text = masked(Strategy::FormatPreserving);
    assert!(text.contains("@example.com or call +"), "{text}");
    assert!(!text.contains("jane.doe") && !text.contains("415-555-2671"), "{text}");
    assert_eq!(text.len(), TEXT.len());
    assert_eq!(text, masked(Strategy::FormatPreserving));
}

#[test]
fn another_organisation_has_other_replacements_hashes_and_tokens() {
    for strategy in [Strategy::FormatPreserving, Strategy::Hash, Strategy::Token] {
        let other = mask(TEXT, &both(), strategy, &MaskKeys::new(&[8; 32])).text;
        assert_ne!(other, masked(strategy));
    }
}

#[test]
fn a_hash_is_sixteen_digits_of_a_keyed_digest() {
    let text = masked(Strategy::Hash);
    let digest =
        text.strip_prefix("Write to [EMAIL_HASH_").and_then(|rest| rest.get(..17)).expect("a hash marker");
    assert!(digest[..16].bytes().all(|byte| byte.is_ascii_hexdigit()) && digest.ends_with(']'), "{text}");
}

#[test]
fn equal_values_share_one_token_that_is_stored_once() {
    let text = "a@b.example and a@b.example";
    let first = found("email", text, "a@b.example", 0.9);
    let second = Entity { span: Span::new(16, 27), ..first.clone() };
    let masked = mask(text, &[first, second], Strategy::Token, &keys());
    let tokens = tokens_in(&masked.text);
    assert_eq!((masked.tokens.len(), tokens.len()), (1, 2));
    assert!(tokens.iter().all(|(_, id)| *id == masked.tokens[0].id));
}

#[test]
fn overlapping_finds_are_one_of_the_strongest_kind() {
    let text = "see https://jane@example.com/x now";
    let url = found("url", text, "https://jane@example.com/x", 0.6);
    let email = found("email", text, "jane@example.com", 0.9);
    let masked = mask(text, &[email, url], Strategy::Full, &keys());
    assert_eq!(masked.text, "see [EMAIL_REDACTED] now");
}

#[test]
fn an_encoded_value_is_replaced_where_the_encoded_form_stands() {
    let text = "mail amFuZUBleGFtcGxlLmNvbQ== please";
    let span = Span::new(5, 29);
    let transforms = vec![Transform::Normalized];
    let value = "jane@example.com".to_owned();
    let find = Entity { kind: "email".into(), span, confidence: 0.9, value, transforms };
    let shown = |strategy| mask(text, std::slice::from_ref(&find), strategy, &keys());
    assert_eq!(shown(Strategy::Full).text, "mail [EMAIL_REDACTED] please");
    assert!(shown(Strategy::FormatPreserving).text.contains("@example.com please"));
    assert_eq!(shown(Strategy::Token).tokens[0].value, "amFuZUBleGFtcGxlLmNvbQ==");
}

#[test]
fn markers_are_not_masked_again() {
    for strategy in [Strategy::Full, Strategy::Hash, Strategy::Token] {
        let once = masked(strategy);
        let inside = markers(&once, &[]).into_iter().map(|span| Span::new(span.start + 1, span.end - 1));
        let again: Vec<Entity> = inside
            .map(|span| Entity {
                kind: "api_key".into(),
                span,
                confidence: 0.9,
                value: span.of(&once).into(),
                transforms: vec![],
            })
            .collect();
        assert_eq!(again.len(), 2);
        assert_eq!(mask(&once, &again, strategy, &keys()).text, once);
    }
}

#[test]
fn brackets_of_other_shapes_are_no_markers() {
    let text = "[_REDACTED] [email_REDACTED] [EMAIL_HASH_12] [EMAIL_TOKEN_short] [see 1] [";
    assert_eq!(markers(text, &[]), []);
    assert_eq!(tokens_in(text), []);
}

#[test]
fn a_marker_of_any_type_shows_that_a_text_was_masked() {
    for text in [
        "mail [EMAIL_REDACTED]",
        "[EMPLOYEE_REDACTED]",
        "([EMAIL_HASH_0123abcdef012345])",
        "[EMAIL_TOKEN_abcdefghijklmnopqrst]",
    ] {
        assert!(has_marker(text), "{text}");
    }
    for text in ["", "[_REDACTED]", "[email_REDACTED]", "[EMAIL_HASH_12]", "EMAIL_REDACTED", "[see 1]"] {
        assert!(!has_marker(text), "{text}");
    }
}

#[test]
fn a_number_in_the_brackets_of_a_marker_is_masked() {
    for text in [
        "[4111111111111111_REDACTED]",
        "[A_HASH_4111111111111111]",
        "[CREDIT_CARD_HASH_4111111111111111]",
        "[CREDIT_CARD_TOKEN_5555555555554444abcd]",
        "[CARD_4111111111111111_REDACTED]",
    ] {
        let found = crate::pii::find_all(&crate::text::Text::new(text));
        let masked = mask(text, &found, Strategy::Full, &keys()).text;
        assert!(!masked.contains("111111") && !masked.contains("555555"), "{text}: {masked}");
    }
}

#[test]
fn a_value_of_a_single_character_still_changes() {
    for value in ["7", "a", "Z", "中", "-"] {
        let masked =
            mask(value, &[found("username", value, value, 0.9)], Strategy::FormatPreserving, &keys());
        assert_ne!(masked.text, value);
    }
}

#[test]
fn keys_are_not_printed() {
    assert_eq!(format!("{:?}", keys()), "MaskKeys");
}

fn class(c: char) -> u8 {
    u8::from(c.is_ascii_digit()) + 2 * u8::from(c.is_uppercase()) + 4 * u8::from(c.is_lowercase())
}

/// Finds wherever a strategy of proptest says, on character boundaries or not.
fn finds(text: &str, places: &[(usize, usize)]) -> Vec<Entity> {
    let find = |&(start, length): &(usize, usize)| {
        let span = Span::new(start, start + length);
        let value = text.get(span.start..span.end).unwrap_or_default().to_owned();
        Entity { kind: "passport".into(), span, confidence: 0.5, value, transforms: Vec::new() }
    };
    places.iter().map(find).collect()
}

proptest! {
    #[test]
    fn restoring_a_token_mask_gives_the_original(text in "\\PC{0,60}", places in collection::vec((0usize..60, 0usize..20), 0..6)) {
        let masked = mask(&text, &finds(&text, &places), Strategy::Token, &keys());
        let lookup = |id: &str| masked.tokens.iter().find(|token| token.id == id).map(|token| token.value.clone());
        prop_assert_eq!(restore(&masked.text, lookup).0, text);
    }

    #[test]
    fn format_preserving_keeps_length_classes_and_separators(value in "[A-Za-z0-9 .üßЖж-]{1,40}") {
        let other = format_preserving::other(&"passport".into(), &value, &keys());
        if let Some(other) = other {
            prop_assert_ne!(&other, &value);
            prop_assert_eq!(other.chars().map(class).collect::<Vec<_>>(), value.chars().map(class).collect::<Vec<_>>());
            let separators = |text: &str| text.chars().enumerate().filter(|(_, c)| !c.is_alphanumeric()).collect::<Vec<_>>();
            prop_assert_eq!(separators(&other), separators(&value));
        } else {
            prop_assert!(!value.chars().any(char::is_alphanumeric));
        }
    }

    #[test]
    fn no_text_makes_masking_panic(text in any::<String>(), places in collection::vec((0usize..80, 0usize..20), 0..6)) {
        for strategy in [Strategy::Full, Strategy::Partial, Strategy::FormatPreserving, Strategy::Hash, Strategy::Token] {
            let masked = mask(&text, &finds(&text, &places), strategy, &keys());
            markers(&masked.text, &[]);
        }
    }

    #[test]
    fn different_long_values_have_different_replacements(left in "[0-9]{9}", right in "[0-9]{9}") {
        prop_assume!(left != right);
        prop_assert_ne!(format_preserving::other(&"passport".into(), &left, &keys()), format_preserving::other(&"passport".into(), &right, &keys()));
    }
}

#[test]
fn a_json_document_stays_one_in_every_strategy() {
    for (text, kind, value) in [
        (r#"{"card": 4539589042341382, "ok": true}"#, "credit_card", "4539589042341382"),
        ("[0, 4539589042341382]", "credit_card", "4539589042341382"),
        (r#"{"args": "{\"card\": 4539589042341382}"}"#, "credit_card", "4539589042341382"),
        (r#"{"password": "\u00e99x\nQ7\"z"}"#, "password", r#"\u00e99x\nQ7\"z"#),
    ] {
        for (name, strategy) in Strategy::ALL {
            let masked = mask(text, &[found(kind, text, value, 0.9)], strategy, &keys()).text;
            let read: serde_json::Value = serde_json::from_str(&masked).expect(&masked);
            let inner = read["args"].as_str().map(serde_json::from_str::<serde_json::Value>);
            assert!(inner.is_none_or(|inner| inner.is_ok()), "{name}: {masked}");
            assert!(!masked.contains(value), "{name}: {masked}");
        }
    }
}

#[test]
fn a_number_inside_a_string_of_json_gets_no_quotes() {
    let text = r#"{"text": "cards: 1, 4539589042341382, 2"}"#;
    let masked = mask(text, &[found("credit_card", text, "4539589042341382", 0.9)], Strategy::Full, &keys());
    assert_eq!(masked.text, r#"{"text": "cards: 1, [CREDIT_CARD_REDACTED], 2"}"#);
}

#[test]
fn a_number_outside_of_json_gets_no_quotes() {
    let text = "{card: 4539589042341382, ok}";
    let masked = mask(text, &[found("credit_card", text, "4539589042341382", 0.9)], Strategy::Full, &keys());
    assert_eq!(masked.text, "{card: [CREDIT_CARD_REDACTED], ok}");
}
