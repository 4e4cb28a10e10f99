//! Frames: sentences with places for names and addresses, written as grammars are.
//!
//! `⟦PERSON⟧` is filled with a name and marked, `⟦ORGANIZATION:Acme Ltd⟧` marks what stands there. Kinds are those of
//! [`Mark`], and `GIVEN` and `SURNAME`, which are marked as people.

use std::path::Path;

use anyhow::{Context as _, Result};
use guardengine_engine::span::Span;

use super::{
    corpus::{Mark, Text},
    pools::Pools,
};
use crate::grammar;

/// Number of times each drawn frame is filled.
const FILLINGS: usize = 8;

/// Draws every frame file of a folder and fills what was drawn.
pub fn draw_all(folder: &Path, mut pools: Pools, seed: u64) -> Result<Vec<Text>> {
    let mut texts = Vec::new();
    for family in grammar::read_all(folder, seed)? {
        for frame in family.texts.iter().flat_map(|frame| [frame; FILLINGS]) {
            let filled = fill(frame, &family.lang, &mut pools).with_context(|| frame.clone())?;
            texts.push(Text { source: family.source.clone(), ..filled });
        }
    }
    Ok(texts)
}

fn fill(frame: &str, lang: &str, pools: &mut Pools) -> Result<Text> {
    let mut filled =
        Text { text: String::new(), lang: lang.to_owned(), source: String::new(), marks: Vec::new() };
    let mut parts = frame.split('⟦');
    filled.text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (place, rest) = part.split_once('⟧').context("a place is not closed")?;
        let (kind, value) = match place.split_once(':') {
            Some((kind, value)) => (kind, value.to_owned()),
            None => (place, pools.draw(place, lang)),
        };
        let start = filled.text.len();
        filled.text.push_str(&value);
        let kind = if matches!(kind, "GIVEN" | "SURNAME") { "PERSON" } else { kind };
        filled.marks.push(Mark { span: Span::new(start, filled.text.len()), kind: kind.to_owned() });
        filled.text.push_str(rest);
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_and_marked() {
        let mut pools = Pools::of(&[], 1);
        let text = fill("Ask ⟦GIVEN⟧ at ⟦ORGANIZATION:Acme Ltd⟧.", "en", &mut pools).expect("a sound frame");
        let marked: Vec<_> =
            text.marks.iter().map(|mark| (mark.kind.as_str(), mark.span.of(&text.text))).collect();
        assert_eq!((marked[0].0, marked[1]), ("PERSON", ("ORGANIZATION", "Acme Ltd")));
        assert_eq!(text.text, format!("Ask {} at Acme Ltd.", marked[0].1));
    }

    #[test]
    fn every_committed_frame_can_be_filled() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pii");
        assert!(!draw_all(&folder, Pools::of(&[], 1), 1).expect("sound frames").is_empty());
    }
}
