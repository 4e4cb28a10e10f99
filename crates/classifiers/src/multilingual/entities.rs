//! Makes stretches of a text from the tags of its pieces.

use std::ops::Range;

use super::{TextScores, tokenizer::Piece};

/// A stretch of a text that is tagged as one entity.
#[derive(Clone, Debug, PartialEq)]
pub struct TaggedEntity<'e> {
    /// The entity, such as `PERSON`.
    pub kind: &'e str,
    /// Its bytes in the text, without blanks around it.
    pub range: Range<usize>,
    /// The mean probability of its tags.
    pub probability: f32,
}

/// The entities of a text, in order: each piece has its likeliest tag, `B-` begins an entity, and `I-` continues one of
/// the same kind.
pub fn entities<'e>(
    names: &'e [String],
    text: &str,
    pieces: &[Piece],
    scores: &TextScores,
) -> Vec<TaggedEntity<'e>> {
    let mut found: Vec<(&str, Range<usize>, Vec<f32>)> = Vec::new();
    let mut is_open = false;
    for (place, piece) in pieces[..scores.pieces_read.min(pieces.len())].iter().enumerate() {
        let Some((tag, probability)) = scores.tags(place).and_then(likeliest) else { break };
        let Some((prefix, kind)) = names.get(tag).and_then(|name| name.split_once('-')) else {
            is_open = false;
            continue;
        };
        match found.last_mut() {
            Some((open, range, probabilities)) if is_open && prefix == "I" && *open == kind => {
                range.end = piece.end;
                probabilities.push(probability);
            }
            _ => found.push((kind, piece.start..piece.end, vec![probability])),
        }
        is_open = true;
    }
    let whole = |(kind, range, probabilities): (_, Range<usize>, Vec<f32>)| TaggedEntity {
        kind,
        range: trimmed(text, range),
        probability: probabilities.iter().sum::<f32>() / probabilities.len() as f32,
    };
    found.into_iter().map(whole).filter(|entity| !entity.range.is_empty()).collect()
}

fn likeliest(tags: &[f32]) -> Option<(usize, f32)> {
    tags.iter().copied().enumerate().max_by(|(_, one), (_, other)| one.total_cmp(other))
}

/// The range without blanks at its begin and end.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let stretch = text.get(range.clone()).unwrap_or_default();
    let start = range.start + stretch.len() - stretch.trim_start().len();
    start..start + stretch.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entities of words of which each is a piece, tagged so.
    fn of(text: &str, tags: &[usize]) -> Vec<(String, Range<usize>)> {
        let names = ["O", "B-PERSON", "I-PERSON", "B-ADDRESS", "I-ADDRESS"].map(str::to_owned);
        let mut start = 0;
        let pieces: Vec<_> = text
            .split_inclusive(' ')
            .map(|word| {
                start += word.len();
                Piece { id: 4, start: start - word.len(), end: start, ends_sentence: false }
            })
            .collect();
        let chances = |tag: &usize| {
            (0..names.len()).map(|place| if place == *tag { 0.8 } else { 0.05 }).collect::<Vec<_>>()
        };
        let scores = TextScores {
            windows: Vec::new(),
            pieces_read: pieces.len(),
            languages: Vec::new(),
            tags: tags.iter().flat_map(chances).collect(),
            tag_count: names.len(),
        };
        let found = entities(&names, text, &pieces, &scores);
        assert!(found.iter().all(|entity| (entity.probability - 0.8).abs() < 1e-6));
        found.into_iter().map(|entity| (entity.kind.to_owned(), entity.range)).collect()
    }

    #[test]
    fn an_entity_goes_on_with_its_own_kind_alone() {
        let of = |tags| of("Anna Berg Main Street", tags);
        let person = |range| ("PERSON".to_owned(), range);
        let address = |range| ("ADDRESS".to_owned(), range);
        assert_eq!(of(&[1, 2, 0, 0]), [person(0..9)]);
        assert_eq!(of(&[1, 1, 3, 4]), [person(0..4), person(5..9), address(10..21)]);
        assert_eq!(of(&[2, 4, 0, 2]), [person(0..4), address(5..9), person(15..21)]);
        assert_eq!(of(&[0, 0, 0, 0]), []);
    }
}
