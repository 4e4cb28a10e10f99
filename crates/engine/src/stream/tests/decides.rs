use proptest::prelude::*;

use super::{run, samples::PROSE};
use crate::stream::{Decide, DecideStream, Events, Passage, Stop};

const LONGEST: usize = 10_000;

/// Blocks a word, and text with more than so many letters `z`.
#[derive(Debug)]
struct Blocks(&'static str, usize);

impl Decide for Blocks {
    fn passes(&mut self, passage: Passage<'_>) -> bool {
        assert!(passage.text.is_char_boundary(passage.start));
        !passage.text.contains(self.0)
    }

    fn passes_whole(&mut self, text: &str) -> bool {
        !text.contains(self.0) && text.matches('z').count() <= self.1
    }
}

fn stream() -> DecideStream<Blocks> {
    DecideStream::new(Blocks("forbidden words", 3), LONGEST)
}

fn decided(text: &str, chunk: usize) -> Events {
    run(stream(), text, |_| chunk).0
}

#[test]
fn a_blocked_sentence_is_not_emitted_and_ends_the_stream() {
    let text = "This is the first sentence of it. Here are forbidden words for you. This is the last.";
    let events = decided(text, 1);
    assert_eq!(events.text, "This is the first sentence of it. ");
    assert_eq!(events.stop, Some(Stop::Blocked));
}

#[test]
fn what_only_the_whole_text_shows_blocks_the_end() {
    let text = "A zebra is there, and a zoo. The maze has a dozen of them in it. Goodbye.";
    let events = decided(text, 5);
    assert_eq!(events.stop, Some(Stop::Blocked));
    assert!(text.starts_with(&events.text) && events.text.len() < text.len());
}

#[test]
fn a_text_over_the_limit_ends_the_stream() {
    let events = decided(&"a word ".repeat(2_000), 50);
    assert_eq!(events.stop, Some(Stop::TooLong));
    assert!(events.text.len() <= LONGEST);
}

#[test]
fn a_passage_is_held_back_for_200_characters_at_most() {
    let (events, held) = run(stream(), &"word ".repeat(500), |_| 1);
    assert_eq!((events.text.len(), held), (2_500, 199));
}

proptest! {
    #[test]
    fn every_chunking_emits_the_same_and_never_what_is_blocked(
        before in prop::collection::vec(prop::sample::select(PROSE), 0..4),
        cut in 0..20_usize,
        after in "[a-zé.!? \n]{0,300}",
        sizes in prop::collection::vec(1..60_usize, 1..5),
    ) {
        let text = [before.concat().as_str(), &"forbidden words"[..cut.min(15)], &after].concat();
        let any = run(stream(), &text, |number| sizes[number % sizes.len()]).0;
        prop_assert_eq!(&any, &decided(&text, 1));
        prop_assert_eq!(&any, &decided(&text, usize::MAX));
        prop_assert!(!any.text.contains("forbidden words"));
        prop_assert!(text.starts_with(&any.text));
        prop_assert!(any.stop.is_some() || any.text == text);
    }
}
