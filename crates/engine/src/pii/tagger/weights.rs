//! The file of the tagger's weights, used where it lies.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `GRDTAG01`: the format and its version |
//! | 4 | what one unit of a weight is worth, a little-endian `f32` |
//! | … | the weights: one signed byte for each row and tag, row by row |

use super::{
    features::{self, ROWS},
    tag::Tag,
    token::Token,
};

const MAGIC: &[u8; 8] = b"GRDTAG01";
const TAGS: usize = Tag::ALL.len();

static FILE: &[u8] = include_bytes!("../../../../../models/tagger.bin");

/// A tagger's weights.
#[derive(Clone, Copy, Debug)]
pub struct Weights<'f> {
    unit: f32,
    rows: &'f [[u8; TAGS]],
}

impl<'f> Weights<'f> {
    /// The weights that the engine ships with.
    pub fn embedded() -> Self
    where
        'static: 'f,
    {
        Self::read(FILE).unwrap_or(Self { unit: 1.0, rows: &[] })
    }

    /// The weights in `file`; `None` when it is none of this version.
    pub fn read(file: &'f [u8]) -> Option<Self> {
        let (unit, weights) = file.strip_prefix(MAGIC)?.split_first_chunk::<4>()?;
        let (rows, rest) = weights.as_chunks::<TAGS>();
        (rows.len() == ROWS && rest.is_empty()).then_some(Self { unit: f32::from_le_bytes(*unit), rows })
    }

    /// The file of these weights: `unit` is what one is worth.
    pub fn to_file(unit: f32, rows: &[[i8; TAGS]]) -> Vec<u8> {
        let weights = rows.iter().flatten().map(|weight| *weight as u8);
        MAGIC.iter().copied().chain(unit.to_le_bytes()).chain(weights).collect()
    }

    /// The likeliest tag of the word at `place` behind the tag `before`, and its probability.
    pub(super) fn tag(&self, tokens: &[Token<'_>], place: usize, before: Tag) -> (Tag, f32) {
        let sums = self.sums(&features::rows(tokens, place, before));
        let may = |tag: &Tag| tag.may_follow(before);
        let value = |tag: Tag| sums[tag as usize];
        let best = Tag::ALL.into_iter().filter(may).max_by_key(|tag| value(*tag)).unwrap_or(Tag::Other);
        if best == Tag::Other {
            return (best, 1.0);
        }
        let share = |tag: Tag| (f32::from(value(tag) - value(best)) * self.unit).exp();
        (best, 1.0 / Tag::ALL.into_iter().filter(may).map(share).sum::<f32>())
    }

    fn sums(&self, rows: &[u16]) -> [i16; TAGS] {
        let mut sums = [0; TAGS];
        for weights in rows.iter().filter_map(|row| self.rows.get(usize::from(*row))) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += i16::from(*weight as i8);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut rows = vec![[0; TAGS]; ROWS];
        rows[7] = [-3; TAGS];
        let file = Weights::to_file(0.5, &rows);
        let weights = Weights::read(&file).expect("a file of this version");
        assert_eq!((weights.unit, weights.sums(&[7, 7, 8])), (0.5, [-6; TAGS]));
    }

    #[test]
    fn another_file_is_refused() {
        assert!(Weights::read(b"GRDTAG01").is_none() && Weights::read(&FILE[..99]).is_none());
    }

    #[test]
    fn the_embedded_file_is_of_this_version_and_small() {
        assert!(Weights::read(FILE).is_some() && FILE.len() < 1_000_000);
    }
}
