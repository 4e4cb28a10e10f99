//! What holds for the finds in any text.

use std::time::{Duration, Instant};

use guardengine_engine::{
    pii::{find_all, types::PII_TYPES},
    text::Text,
};
use proptest::prelude::*;

fn kinds(text: &str) -> Vec<String> {
    find_all(&Text::new(text)).into_iter().map(|found| found.kind.to_string()).collect()
}

fn holds_the_laws(text: &str) {
    let found = find_all(&Text::new(text));
    for find in &found {
        assert!(
            text.is_char_boundary(find.span.start)
                && text.is_char_boundary(find.span.end)
                && !find.span.is_empty()
        );
        assert!((0.0..=1.0).contains(&find.confidence) && !find.value.is_empty());
    }
    assert!(found.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{found:?}");
}

// Pieces that personal data is made of, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "+",
        "00",
        "(",
        ")",
        " ",
        "-",
        ".",
        "/",
        "1",
        "555",
        "0123",
        "2125550187",
        "@",
        "a.b",
        "example.com",
        "://",
        "www.",
        "http",
        ":",
        "::",
        "2001:db8",
        "192.168.1.7",
        "password",
        " is ",
        "=",
        "\"",
        "eyJ",
        "-----BEGIN ",
        "PRIVATE KEY-----",
        "-----END ",
        "°",
        "'",
        "N",
        "40.712776",
        ", ",
        "-74.005974",
        "phone ",
        "电话",
        "é",
        "ß",
        "\u{a0}",
        "\n",
        "ghp_",
        "0x",
        "bc1q",
        "x",
        "[at]",
        " dot ",
        "AKIA",
        "Z9",
        "＋",
        "１",
        "user",
        "twitter",
        "00:1B:44:11:3A:B7",
        "İ",
        "𝟙",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn finds_never_overlap_and_stand_on_character_boundaries(text in ".{0,200}") {
        holds_the_laws(&text);
    }

    #[test]
    fn finds_among_broken_pieces_obey_the_same_laws(text in pieces()) {
        holds_the_laws(&text);
    }

    #[test]
    fn any_bytes_read_as_text_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        holds_the_laws(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn overlapping_claims_are_one_find() {
    assert_eq!(kinds("see https://example.com/?u=jane@example.com"), ["email"]);
    assert_eq!(kinds("postgres://app:S3cr3t9x@db.example.com/prod"), ["api_key"]);
    assert_eq!(kinds("https://example.com/tel/+12125550187"), ["url"]);
}

#[test]
fn no_joining_character_hides_a_number_of_distinctive_form() {
    let values = [
        ("4111111111111111", "credit_card"),
        ("4111 1111 1111 1111", "credit_card"),
        ("4111-1111-1111-1111", "credit_card"),
        ("078-05-1120", "us_ssn"),
        ("AKIAIOSFODNN7EXAMPLE", "api_key"),
        ("DE89370400440532013000", "iban"),
        ("203.0.113.77", "ip_address"),
        ("00:1B:44:11:3A:B7", "mac_address"),
        ("+12125550187", "phone_number"),
    ];
    for (value, kind) in values {
        for (before, after) in
            [("_", ""), ("", "_"), ("_", "_"), ("a_", "_b"), ("__", "__"), ("card_", ""), ("(_", "_)")]
        {
            let text = format!("{before}{value}{after}");
            assert!(kinds(&text).contains(&kind.to_owned()), "{text}");
        }
    }
    for joint in ["$", "@", "+", "/", "\\", "~", "^", "=", "%", "-", "card-", "card", "é", "x"] {
        for text in [format!("{joint}4111111111111111"), format!("{joint}4111111111111111{joint}")] {
            assert!(kinds(&text).contains(&"credit_card".to_owned()), "{text}");
        }
    }
    assert_eq!(kinds("4111_1111_1111_1111"), ["credit_card"]);
    assert_eq!(kinds("my ssn is _078_05_1120_"), ["us_ssn"]);
}

#[test]
fn finds_come_in_order_of_appearance() {
    let text = "jane@example.com, +1 212-555-0187, 203.0.113.77, https://example.com/";
    assert_eq!(kinds(text), ["email", "phone_number", "ip_address", "url"]);
}

#[test]
fn every_kind_has_its_own_name() {
    let mut names: Vec<_> = PII_TYPES.iter().map(|kind| kind.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), PII_TYPES.len());
}

// Generous, so that a slow machine passes and anything quadratic does not.
#[test]
fn a_megabyte_of_anything_is_read_in_linear_time() {
    kinds("phone +12125550187");
    for piece in [
        "7",
        "7 ",
        "1-",
        "a1.",
        "AB1 ",
        "@",
        "a@",
        ":",
        "a:",
        "1.",
        "::",
        "eyJ",
        "://",
        "[at]",
        " dot ",
        "-----BEGIN PRIVATE KEY-----\n",
        "phone 2125550187 ",
        "password is ",
        "40.7127,",
        "ghp_",
        "°",
        "1°",
        "+1 ",
        "Ab 1, 12345 ",
        "(",
        "a",
    ] {
        let took = |bytes: usize| {
            let text = piece.repeat(bytes / piece.len());
            let start = Instant::now();
            kinds(&text);
            start.elapsed()
        };
        let (short, long) = (took(125_000).min(took(125_000)), took(1_000_000));
        // Eight times the text: linear work takes 8 times as long, quadratic work 64 times. Machines are noisy.
        let most = short * 24 + Duration::from_millis(200);
        assert!(long < most, "{piece:?} took {short:?}, and {long:?} for eight times the text");
    }
}
