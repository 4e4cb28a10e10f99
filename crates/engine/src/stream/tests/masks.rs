use proptest::prelude::*;

use super::{
    run,
    samples::{PROSE, SENTENCES},
};
use crate::{
    pii::{
        Entity, find_all,
        mask::{MaskKeys, Strategy as Masking, mask},
        types::PII_TYPES,
    },
    stream::{
        Decide, DecideStream, Events, Incremental, LONGEST_HOLD, MaskOptions, MaskStream, Passage, Stop, Then,
    },
    text::Text,
};

fn is_certain(entity: &Entity) -> bool {
    entity.confidence >= 0.5
}

fn stream(strategy: Masking) -> MaskStream {
    MaskStream::new(MaskOptions {
        strategies: strategy.into(),
        keys: MaskKeys::new(&[7; 32]),
        selects: Box::new(is_certain),
        custom: std::sync::Arc::default(),
    })
}

fn streamed(text: &str, chunk: usize) -> Events {
    run(stream(Masking::Full), text, |_| chunk).0
}

fn whole(text: &str, strategy: Masking) -> String {
    let found: Vec<_> = find_all(&Text::new(text)).into_iter().filter(is_certain).collect();
    mask(text, &found, strategy, &MaskKeys::new(&[7; 32])).text
}

#[test]
fn the_samples_hold_every_pii_type() {
    let found: Vec<_> =
        SENTENCES.iter().flat_map(|text| find_all(&Text::new(text))).map(|found| found.kind).collect();
    let missing: Vec<_> = PII_TYPES
        .iter()
        .map(|kind| kind.name())
        // No text has a face.
        .filter(|kind| *kind != "face" && !found.iter().any(|known| known == kind))
        .collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn a_stream_masks_what_the_whole_text_masks() {
    let mut wrong = Vec::new();
    for (number, sentence) in SENTENCES.iter().enumerate() {
        let text = [PROSE[number % PROSE.len()], sentence, PROSE[(number + 3) % PROSE.len()]].concat();
        let (stream, whole) = (streamed(&text, 1).text, whole(&text, Masking::Full));
        if stream != whole {
            wrong.push(format!("\n{stream}\n{whole}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ: {}", wrong.len(), wrong.concat());
}

#[test]
fn a_long_document_is_masked_like_its_sentences() {
    let text: String = SENTENCES.iter().zip(PROSE.iter().cycle()).map(|(a, b)| [*a, *b].concat()).collect();
    assert_eq!(streamed(&text, 20).text, whole(&text, Masking::Full));
}

#[test]
fn prose_is_held_back_for_a_few_characters() {
    let text = PROSE[..5].concat().repeat(10);
    let mut stream = stream(Masking::Full);
    let mut held: Vec<usize> = Vec::new();
    for c in text.chars() {
        stream.feed(c.encode_utf8(&mut [0; 4]));
        held.push(stream.holdback());
    }
    held.sort_unstable();
    let (median, most) = (held[held.len() / 2], held[held.len() - 1]);
    println!("held: median {median}, most {most}");
    assert!(median <= 32, "{median}");
    assert!(most <= 128, "{most}");
}

#[test]
fn nothing_is_held_back_longer_than_the_bound() {
    for text in [
        "7".repeat(5000),
        "John ".repeat(1000),
        "a".repeat(5000),
        format!("-----BEGIN {}-----\n{}", "PRIVATE KEY", "MIIEowIBAAKCAQEA\n".repeat(300)),
        format!("password: \"{}\" and on", "x y ".repeat(1000)),
        "1 2 ".repeat(1500),
        "[at] ".repeat(800),
    ] {
        let (events, held) = run(stream(Masking::Full), &text, |_| 7);
        assert!(held <= LONGEST_HOLD + 64, "{held} of {}", &text[..20]);
        assert!(events.text.len() <= text.len() + 100);
    }
}

#[test]
fn an_entity_longer_than_the_bound_is_masked_to_its_end() {
    let key = format!(
        "-----BEGIN {k}-----\n{}-----END {k}-----",
        "MIIEowIBAAKCAQEA7Zq0\n".repeat(200),
        k = "PRIVATE KEY"
    );
    let token = format!(
        "eyJ{}.eyJ{}.{}",
        "hbGciOiJIUzI1NiJ9",
        "c3ViIjoiMTIzNDU2Nzg5".repeat(150),
        "dBjftJeZ4CVPmB92K27u"
    );
    for secret in [key, token] {
        let text = format!("This is the one: {secret} and that was it.");
        for chunk in [1, 20, 10_000] {
            assert_eq!(streamed(&text, chunk).text, "This is the one: [API_KEY_REDACTED] and that was it.");
        }
    }
}

#[test]
fn rows_far_below_their_heading_are_masked() {
    let rows: Vec<_> = (0..60).map(|row| format!("{row};anna{row}b;blue\n")).collect();
    let text = format!("id;username;color\n{}\nThe end.", rows.concat());
    assert_eq!(streamed(&text, 9).text, whole(&text, Masking::Full));
}

#[test]
fn markers_of_an_earlier_masking_stay() {
    let text = "Ask [PERSON_NAME_REDACTED] or [EMAIL_TOKEN_k3qzvmwtyahu5rnx2bce] for the key, please do.";
    assert_eq!(streamed(text, 1).text, text);
}

#[test]
fn tokens_are_returned_with_the_text_that_holds_them() {
    let events = run(stream(Masking::Token), "Write to jane@example.com today. ", |_| 3).0;
    let [token] = events.tokens.as_slice() else { panic!("{events:?}") };
    assert_eq!((token.kind.as_str(), token.value.as_str()), ("email", "jane@example.com"));
    assert_eq!(events.text, format!("Write to [EMAIL_TOKEN_{}] today. ", token.id));
    assert_eq!(events.masked, ["email"]);
}

/// Blocks a word.
#[derive(Debug)]
struct Blocks(&'static str);

impl Decide for Blocks {
    fn passes(&mut self, passage: Passage<'_>) -> bool {
        !passage.text.contains(self.0)
    }

    fn passes_whole(&mut self, text: &str) -> bool {
        !text.contains(self.0)
    }
}

#[test]
fn what_was_evaluated_is_masked_before_it_is_emitted() {
    let text = "Please write to jane@example.com about it. Then do the forbidden thing at once. Bye.";
    let guarded = Then::new(DecideStream::new(Blocks("forbidden"), 1000), stream(Masking::Full));
    let (events, _) = run(guarded, text, |_| 4);
    assert_eq!(events.text, "Please write to [EMAIL_REDACTED] about it. ");
    assert_eq!((events.stop, events.masked), (Some(Stop::Blocked), vec!["email".into()]));
}

/// Sentences, prose and broken pieces in any order.
fn texts() -> impl Strategy<Value = String> {
    let broken = [
        "[EMAIL_TO",
        "{\"a\": ",
        "\"",
        "é",
        "e\u{301}",
        "\r\n",
        "👩‍👩‍👧",
        "\u{200b}",
        "4111",
        "@",
        "Mr. ",
        ", ",
        "] }",
    ];
    let piece = prop_oneof![
        3 => prop::sample::select(SENTENCES).prop_map(str::to_owned),
        3 => prop::sample::select(PROSE).prop_map(str::to_owned),
        1 => prop::sample::select(broken.to_vec()).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
    ];
    prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_chunking_emits_the_same(text in texts(), sizes in prop::collection::vec(1..60_usize, 1..9)) {
        let strategies = [Masking::Full, Masking::Partial, Masking::FormatPreserving, Masking::Hash, Masking::Token];
        let strategy = strategies[text.len() % strategies.len()];
        let any = run(stream(strategy), &text, |number| sizes[number % sizes.len()]).0;
        prop_assert_eq!(&any, &run(stream(strategy), &text, |_| 1).0);
        prop_assert_eq!(&any, &run(stream(strategy), &text, |_| usize::MAX).0);
    }

    #[test]
    fn sentences_in_any_order_are_masked_like_the_whole(order in prop::collection::vec((0..SENTENCES.len(), 0..PROSE.len()), 1..4)) {
        let text: String = order.iter().map(|(a, b)| [PROSE[*b], SENTENCES[*a]].concat()).collect();
        prop_assert_eq!(streamed(&text, 1).text, whole(&text, Masking::Full));
    }
}
