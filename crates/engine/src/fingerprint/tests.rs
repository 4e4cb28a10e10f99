use proptest::prelude::*;

use super::*;

const DOCUMENT: &str = "The harbour master kept two ledgers, one for ships that paid and one for ships that promised to. \
    In the winter of the great frost the second ledger grew thicker than the first, and he began to write smaller. \
    When the ice broke in March he found that nine captains owed him more than their vessels were worth.";

fn found(document: &str, text: &str) -> Vec<Passage> {
    let fingerprints = Fingerprints::of(&[document.to_owned()]).unwrap();
    fingerprints.passages(&Text::new(text))
}

#[test]
fn a_paragraph_with_small_edits_is_recognised() {
    let text = "Well: in the WINTER of the great frost, the second book grew thicker than the first\nand he began to \
        write much smaller. Good night!";
    let passages = found(DOCUMENT, text);
    assert_eq!(passages.len(), 1);
    assert_eq!(passages[0].span.of(text), &text[6..text.find(" much").unwrap()]);
    assert!(passages[0].confidence() > 0.7, "{passages:?}");
}

#[test]
fn short_overlaps_and_common_phrases_are_not() {
    for text in [
        "In the winter of the great frost we stayed at home.",
        "He kept two ledgers, one for ships and one for the harbour. When the ice broke, he began to write.",
        "",
    ] {
        assert_eq!(found(DOCUMENT, text), [], "{text}");
    }
}

#[test]
fn twelve_words_in_a_row_are_a_passage_and_say_which_document() {
    let documents = ["something else entirely".to_owned(), DOCUMENT.to_owned()];
    let text = "he found that nine captains owed him more than their vessels were worth";
    let passages = Fingerprints::of(&documents).unwrap().passages(&Text::new(text));
    assert_eq!(passages.iter().map(|passage| passage.document).collect::<Vec<_>>(), [1]);
}

#[test]
fn chinese_and_japanese_are_compared_by_characters() {
    let document =
        "港務長保存了兩本帳簿，一本記錄已付款的船隻，另一本記錄承諾付款的船隻。那年冬天第二本變得更厚。";
    assert_eq!(
        found(document, "他說：一本記錄已付款的船隻、另一本記錄承諾付款的船隻；那年冬天很冷").len(),
        1
    );
    assert_eq!(found(document, "另一本帳簿記錄了那年冬天的船隻。"), []);
}

#[test]
fn too_many_documents_are_refused() {
    let fault = Fingerprints::of(&["a ".repeat(LARGEST)]).unwrap_err();
    assert_eq!(fault.to_string(), "documents: at most 1000000 bytes together");
}

#[test]
fn endless_repetition_on_both_sides_takes_linear_time() {
    let passages = found(&"a ".repeat(100_000), &"a ".repeat(400_000));
    assert!(!passages.is_empty());
}

/// Words as a generator writes them, none twice.
fn sentence(seed: usize, words: usize) -> Vec<String> {
    (0..words).map(|at| format!("w{}", (seed * 10_007 + at * 131) % 1_000_003)).collect()
}

proptest! {
    #[test]
    fn sixty_words_with_every_fifteenth_replaced_are_found(seed in 0_usize..1_000, from in 0_usize..400, first in 0_usize..15) {
        let document = sentence(seed, 500);
        let mut quoted = document[from..from + 60].to_vec();
        for at in (first..60).step_by(15) {
            quoted[at] = format!("x{at}");
        }
        let text = format!("He wrote: {}. And so on.", quoted.join(", ").to_uppercase());
        let passages = found(&document.join(" "), &text);
        prop_assert_eq!(passages.len(), 1);
        prop_assert!(passages[0].confidence() > 0.85 && passages[0].span.len() > text.len() / 2);
    }

    #[test]
    fn other_words_are_not_found(seed in 0_usize..1_000, text in "([a-z]{1,7} ){0,300}") {
        prop_assert_eq!(found(&sentence(seed, 500).join(" "), &text), []);
    }

    #[test]
    fn any_text_is_read(document in ".{0,200}", text in ".{0,200}") {
        for passage in found(&document, &text) {
            prop_assert!(text.get(passage.span.start..passage.span.end).is_some());
        }
    }
}
