//! The tagger's weights, read in place from the embedded file.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `GRDTAG01`: the format and its version |
//! | 4 | what one unit of a weight is worth, a little-endian `f32` |
//! | … | the weights, row by row: the mark of the feature that the row belongs to, and one signed byte for each tag but [`Tag::Other`], whose weights are zero |

use super::{
    features::{Feature, ROWS, features},
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

    /// The file of these rows, marks first: `unit` is what one weight is worth.
    pub fn to_file(unit: f32, rows: &[[i8; TAGS]]) -> Vec<u8> {
        let weights = rows.iter().flatten().map(|weight| *weight as u8);
        MAGIC.iter().copied().chain(unit.to_le_bytes()).chain(weights).collect()
    }

    /// The likeliest tag of the word at `place` behind the tag `before`, and its probability.
    pub(super) fn tag(&self, tokens: &[Token<'_>], place: usize, before: Tag) -> (Tag, f32) {
        let sums = self.sums(&features(tokens, place, before));
        let may = |tag: &Tag| tag.may_follow(before);
        let value = |tag: Tag| sums[tag as usize];
        let best = Tag::ALL.into_iter().filter(may).max_by_key(|tag| value(*tag)).unwrap_or(Tag::Other);
        if best == Tag::Other {
            return (best, 1.0);
        }
        let share = |tag: Tag| (f32::from(value(tag) - value(best)) * self.unit).exp();
        (best, 1.0 / Tag::ALL.into_iter().filter(may).map(share).sum::<f32>())
    }

    fn sums(&self, features: &[Feature]) -> [i16; TAGS] {
        let mut sums = [0; TAGS];
        for feature in features {
            let Some(row) = self.rows.get(usize::from(feature.row)) else { continue };
            // Without a branch: whether a feature is known is hard to foresee.
            let known = -i16::from(row[0] == feature.mark);
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += i16::from(*weight as i8) & known;
            }
        }
        sums[Tag::Other as usize] = 0;
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut rows = vec![[0; TAGS]; ROWS];
        rows[7] = [9, -3, -3, -3, -3, -3, -3, -3];
        let file = Weights::to_file(0.5, &rows);
        let weights = Weights::read(&file).expect("a file of this version");
        let [own, other] = [9, 8].map(|mark| Feature { row: 7, mark });
        assert_eq!((weights.unit, weights.sums(&[own, own, other])), (0.5, [0, -6, -6, -6, -6, -6, -6, -6]));
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
