//! A small learned tagger for names, addresses and user names that only their context reveals.
//!
//! Words are looked at only in [candidates](span_candidate): stretches around a capital letter or a name written for machines.
//! Each word of a candidate is worth the sum of its [features]' weights, one for each [`Tag`]; the greatest
//! that may follow the tag before wins. Organisations and places are tags so that they are not taken for people;
//! nobody reports them.
//!
//! The [`weights`] are made by `guardengine-training tagger`.

pub mod features;
mod particles;
mod read;
pub mod span_candidate;
pub mod tag;
pub mod token;
pub mod weights;

use crate::span::Span;
use span_candidate::Island;
use tag::{EntityClass, Tag};
use token::Token;
use weights::Weights;

/// Confidence at most of what the tagger alone has seen: worth masking, not worth stopping a text.
pub(crate) const MOST: f32 = 0.6;

/// Something the tagger sees in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tagged {
    /// What it is.
    pub entity: EntityClass,
    /// Where, in bytes.
    pub span: Span,
    /// How sure the least sure of its words is, 0 to 1.
    pub confidence: f32,
}

/// Everything that `weights` see in `text`, in order of appearance.
pub fn tagged(weights: &Weights<'_>, text: &str) -> Vec<Tagged> {
    let mut all = Vec::new();
    span_candidate::each(text, |island| tag_island(weights, island, &mut all));
    all
}

fn tag_island(weights: &Weights<'_>, island: &Island<'_>, all: &mut Vec<Tagged>) {
    let mut before = Tag::Other;
    for place in island.inner() {
        let (tag, confidence) = weights.tag(island.tokens(), place, before);
        note(all, tag, &island.tokens()[place], confidence);
        before = tag;
    }
}

fn note(all: &mut Vec<Tagged>, tag: Tag, token: &Token<'_>, confidence: f32) {
    let Some(entity) = tag.entity() else { return };
    match all.last_mut().filter(|_| tag.goes_on()) {
        Some(last) => {
            last.span = last.span.cover(token.span);
            last.confidence = last.confidence.min(confidence);
        }
        None => all.push(Tagged { entity, span: token.span, confidence }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(EntityClass, &str)> {
        let all = tagged(&Weights::embedded(), text);
        all.into_iter().map(|one| (one.entity, one.span.of(text))).collect()
    }

    #[test]
    fn people_are_told_from_companies_and_places() {
        let text = "Please ask Oluwaseun Adeyemi-Brandt of Norvane Systems GmbH in Rotterdam to call back.";
        let people: Vec<_> =
            seen(text).into_iter().filter(|(entity, _)| *entity == EntityClass::Person).collect();
        assert_eq!(people, [(EntityClass::Person, "Oluwaseun Adeyemi-Brandt")]);
    }

    #[test]
    fn an_address_is_one_piece() {
        let text = "Ship it to 4821 Juniper Hollow Road, Tarrowdale, OH 44107 please.";
        assert_eq!(seen(text), [(EntityClass::Address, "4821 Juniper Hollow Road, Tarrowdale, OH 44107")]);
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_tagger_panic(text in "(Mr |[A-Z][a-z]{1,6}|[0-9]{1,5}|@|_|, |\\n|\\PC| ){0,24}") {
            for one in tagged(&Weights::embedded(), &text) {
                proptest::prop_assert!(text.get(one.span.start..one.span.end).is_some());
                proptest::prop_assert!((0.0..=1.0).contains(&one.confidence));
            }
        }
    }
}
