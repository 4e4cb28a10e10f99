//! Names that the tagger sees.

use super::{
    speaks_of_the_public,
    written::{ALONE, is_public_talk, stands_beside_private_details},
};
use crate::pii::{Match, Scan, tagger::tag::Entity};

/// Confidence from which the tagger is believed.
const BELIEVED: f32 = 0.6;
/// The same for one word, which is seldom enough to tell who is meant.
const ONE_WORD: f32 = 0.9;

/// The names in the text that its words and their order give away.
pub(super) fn find(scan: &Scan<'_>, found: &mut Vec<Match>) {
    found.extend(scan.tagged(Entity::Person).filter_map(|one| judged(scan.text, one)));
}

fn judged(text: &str, one: Match) -> Option<Match> {
    let is_private = stands_beside_private_details(text, one.span);
    let name = one.span.of(text);
    let enough = if name.contains([' ', '.']) || is_private { BELIEVED } else { ONE_WORD };
    if one.confidence < enough || (!is_private && (speaks_of_the_public(name) || is_public_talk(text, one.span))) {
        return None;
    }
    let most = if is_private { 0.9 } else { ALONE };
    Some(Match { confidence: one.confidence.min(most), ..one })
}
