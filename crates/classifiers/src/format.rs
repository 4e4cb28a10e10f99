//! The file of a linear model's weights.
//!
//! All numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `GRDLIN01`: the format and its version |
//! | 8 | FNV-1a 64 of all that follows |
//! | 4 | length of the description |
//! | … | the description ([`Described`]) as JSON |
//! | … | the weights: one signed byte for each row and lane, row by row, deflated (RFC 1951) |
//!
//! A file is refused when its checksum differs, when it was made for other features, or when its labels are not
//! those of [`CASCADE_LABELS`] in their order.

use std::io::{Read, Write};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use serde::{Deserialize, Serialize};

use crate::{
    CASCADE_LABELS,
    calibration::Curve,
    feature_sums::{LANES, Row, Rows},
    features::{BITS, ROWS},
};

const MAGIC: &[u8; 8] = b"GRDLIN01";

/// Why a file of weights cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// It does not begin like one.
    #[error("not a file of linear weights of this version")]
    NotWeights,
    /// Its checksum differs.
    #[error("the weights are damaged: checksum differs")]
    Damaged,
    /// It was made for other features or labels.
    #[error("the weights were made for {0}")]
    Foreign(String),
    /// Its description cannot be read.
    #[error("the description of the weights cannot be read: {0}")]
    Description(#[from] serde_json::Error),
    /// Its weights cannot be inflated.
    #[error("the weights cannot be inflated: {0}")]
    Inflate(#[from] std::io::Error),
}

/// What one label does with its lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// Wire name of the guardrail.
    pub label: String,
    /// What one unit of a weight is worth.
    pub scale: f32,
    /// What a text without features is worth.
    pub bias: f32,
    /// From raw values to probabilities.
    pub curve: Curve,
}

/// What stands beside the weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Described {
    /// Name and edition of the model.
    pub version: String,
    /// Logarithm (base 2) of the number of rows.
    pub bits: u32,
    /// One for each label, in the order of [`CASCADE_LABELS`].
    pub heads: Vec<Head>,
}

/// A linear model, ready to be written or run.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// What stands beside the rows.
    pub(crate) described: Described,
    /// One row for each feature.
    pub(crate) rows: Box<Rows>,
}

impl Weights {
    /// Rounds real weights (`weights[row][label]`) to signed bytes, with a scale for each label such that the greatest
    /// keeps its place; `biases` and `curves` are in the order of [`CASCADE_LABELS`].
    pub fn quantized(
        version: String,
        weights: &[[f32; CASCADE_LABELS.len()]],
        biases: &[f32],
        curves: &[Curve],
    ) -> Self {
        let mut rows = empty();
        let mut heads = Vec::new();
        for (lane, label) in CASCADE_LABELS.iter().enumerate() {
            let scale = scale_of(weights.iter().map(|row| row[lane]));
            for (row, exact) in rows.iter_mut().zip(weights) {
                row.0[lane] = (exact[lane] / scale).round().clamp(-127.0, 127.0) as i8;
            }
            heads.push(Head {
                label: (*label).to_owned(),
                scale,
                bias: biases[lane],
                curve: curves[lane].clone(),
            });
        }
        Self { described: Described { version, bits: BITS, heads }, rows }
    }

    /// The file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let description = serde_json::to_vec(&self.described)?;
        let mut body = (description.len() as u32).to_le_bytes().to_vec();
        body.extend(description);
        let mut deflated = DeflateEncoder::new(body, Compression::best());
        for row in self.rows.iter() {
            deflated.write_all(&row.0.map(|weight| weight as u8))?;
        }
        let body = deflated.finish()?;
        Ok([MAGIC.as_slice(), &fnv1a(&body).to_le_bytes(), &body].concat())
    }

    /// Reads a file and checks all that can be checked.
    pub fn from_bytes(file: &[u8]) -> Result<Self, FormatError> {
        let rest = file.strip_prefix(MAGIC).ok_or(FormatError::NotWeights)?;
        let (checksum, body) = rest.split_first_chunk::<8>().ok_or(FormatError::NotWeights)?;
        if u64::from_le_bytes(*checksum) != fnv1a(body) {
            return Err(FormatError::Damaged);
        }
        let (length, body) = body.split_first_chunk::<4>().ok_or(FormatError::NotWeights)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (description, deflated) = body.split_at_checked(length).ok_or(FormatError::NotWeights)?;
        let described = serde_json::from_slice(description)?;
        check(&described)?;
        Ok(Self { described, rows: inflate(deflated)? })
    }
}

/// The weight of one unit: the greatest by size among all but the wildest in ten thousand that are not zero.
fn scale_of(weights: impl Iterator<Item = f32>) -> f32 {
    let mut sizes: Vec<f32> = weights.map(f32::abs).filter(|size| *size > 0.0).collect();
    sizes.sort_unstable_by(f32::total_cmp);
    let place = sizes.len().saturating_sub(1 + sizes.len() / 10_000);
    sizes.get(place).map_or(1.0, |size| size / 127.0)
}

fn check(described: &Described) -> Result<(), FormatError> {
    if described.bits != BITS {
        return Err(FormatError::Foreign(format!("2^{} rows", described.bits)));
    }
    let labels: Vec<_> = described.heads.iter().map(|head| head.label.as_str()).collect();
    if labels != CASCADE_LABELS {
        return Err(FormatError::Foreign(format!("the labels {}", labels.join(", "))));
    }
    let sound = |head: &Head| Curve::new(head.curve.knots().to_vec()).is_some() && head.scale.is_finite();
    if described.heads.iter().all(sound) {
        Ok(())
    } else {
        Err(FormatError::Foreign("curves that fall".to_owned()))
    }
}

fn inflate(deflated: &[u8]) -> Result<Box<Rows>, FormatError> {
    let mut bytes = Vec::with_capacity(ROWS * LANES + 1);
    DeflateDecoder::new(deflated).take((ROWS * LANES) as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() != ROWS * LANES {
        return Err(FormatError::Foreign(format!("{} bytes of weights", bytes.len())));
    }
    let mut rows = empty();
    for (row, bytes) in rows.iter_mut().zip(bytes.as_chunks::<LANES>().0) {
        *row = Row(bytes.map(|byte| byte as i8));
    }
    Ok(rows)
}

/// Weights of nothing.
fn empty() -> Box<Rows> {
    let rows = vec![Row::default(); ROWS].into_boxed_slice();
    rows.try_into().unwrap_or_else(|_| unreachable!("as many rows as were asked for"))
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv): against damage, not against forgers.
pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights() -> Weights {
        let mut exact = vec![[0.0; CASCADE_LABELS.len()]; ROWS];
        exact[7] = [1.0; CASCADE_LABELS.len()];
        exact[8] = [-0.5; CASCADE_LABELS.len()];
        let curve = Curve::new(vec![(-1.0, -1.0), (1.0, 1.0)]).unwrap();
        Weights::quantized("test".to_owned(), &exact, &[0.25; 14], &vec![curve; 14])
    }

    #[test]
    fn what_is_written_is_read() {
        let weights = weights();
        assert_eq!(Weights::from_bytes(&weights.to_bytes().unwrap()).unwrap(), weights);
        assert_eq!((weights.rows[7].0[0], weights.rows[8].0[0]), (127, -64));
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let mut file = weights().to_bytes().unwrap();
        let last = file.len() - 1;
        file[last] ^= 1;
        assert!(matches!(Weights::from_bytes(&file), Err(FormatError::Damaged)));
    }

    #[test]
    fn another_order_of_labels_is_refused() {
        let mut weights = weights();
        weights.described.heads.swap(0, 1);
        assert!(matches!(Weights::from_bytes(&weights.to_bytes().unwrap()), Err(FormatError::Foreign(_))));
    }

    #[test]
    fn another_number_of_weights_is_refused() {
        let mut weights = weights();
        weights.described.bits += 1;
        assert!(matches!(Weights::from_bytes(&weights.to_bytes().unwrap()), Err(FormatError::Foreign(_))));
        let too_few = vec![0; ROWS];
        let mut deflated = DeflateEncoder::new(Vec::new(), Compression::fast());
        deflated.write_all(&too_few).unwrap();
        assert!(matches!(inflate(&deflated.finish().unwrap()), Err(FormatError::Foreign(_))));
    }

    #[test]
    fn another_file_is_refused() {
        assert!(matches!(Weights::from_bytes(b"PK\x03\x04"), Err(FormatError::NotWeights)));
        assert!(matches!(Weights::from_bytes(MAGIC), Err(FormatError::NotWeights)));
    }

    #[test]
    fn the_checksum_is_fnv1a() {
        // Test vectors of the draft.
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
