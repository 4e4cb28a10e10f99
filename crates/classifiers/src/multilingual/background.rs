//! The background file: vectors of harmless texts, to which topics are compared.
//!
//! `GEBG`, then in little-endian order the version (u32), the checksum of the weights that made the vectors (u64), and how
//! many numbers a vector has and how many vectors there are (u32 each). Each vector is the number of its language in the list
//! of the weights (u8), a scale (f32), and one signed byte for each number, which stands for that multiple of the scale.

use std::fmt;

use guardengine_engine::topics::TextVector;

const MAGIC: &[u8; 4] = b"GEBG";
const VERSION: u32 = 1;
/// Bytes before the first vector.
const HEADER: usize = 24;
/// Bytes before the numbers of a vector.
const PREFIX: usize = 5;

/// Reason why a background was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackgroundError {
    /// It is no background file of this version.
    Format,
    /// It was made with other weights.
    OtherWeights {
        /// Checksum of the weights that made it.
        made_with: u64,
        /// Checksum of the weights that read it.
        read_with: u64,
    },
    /// A scale is not finite.
    NotFinite,
}

impl fmt::Display for BackgroundError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format => write!(formatter, "expected a background file of version {VERSION}"),
            Self::OtherWeights { made_with, read_with } => {
                write!(
                    formatter,
                    "the background was made with weights {made_with:016x}, not {read_with:016x}"
                )
            }
            Self::NotFinite => formatter.write_str("the background has a scale that is not finite"),
        }
    }
}

impl std::error::Error for BackgroundError {}

/// Writes a background of vectors that weights with this checksum gave.
pub fn to_bytes(vectors: &[TextVector], checksum: u64) -> Vec<u8> {
    let width = vectors.first().map_or(0, |vector| vector.numbers.len());
    let mut file = Vec::with_capacity(HEADER + vectors.len() * (PREFIX + width));
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend(checksum.to_le_bytes());
    file.extend((width as u32).to_le_bytes());
    file.extend((vectors.len() as u32).to_le_bytes());
    for TextVector { numbers, language } in vectors {
        let highest = numbers.iter().map(|number| number.abs()).fold(f32::MIN_POSITIVE, f32::max);
        let scale = highest / f32::from(i8::MAX);
        file.push(*language);
        file.extend(scale.to_le_bytes());
        file.extend(numbers.iter().map(|number| (number / scale).round() as i8).map(i8::cast_unsigned));
    }
    file
}

/// Reads the vectors of a background for weights with this checksum.
pub fn from_bytes(file: &[u8], checksum: u64) -> Result<Vec<TextVector>, BackgroundError> {
    let mut rest = file;
    let header = (take(&mut rest), take(&mut rest), take(&mut rest), take(&mut rest), take(&mut rest));
    let (Some(magic), Some(version), Some(made_with), Some(width), Some(count)) = header else {
        return Err(BackgroundError::Format);
    };
    if magic != *MAGIC || u32::from_le_bytes(version) != VERSION {
        return Err(BackgroundError::Format);
    }
    let made_with = u64::from_le_bytes(made_with);
    if made_with != checksum {
        return Err(BackgroundError::OtherWeights { made_with, read_with: checksum });
    }
    let (width, count) = (u32::from_le_bytes(width) as usize, u32::from_le_bytes(count) as usize);
    if count.checked_mul(PREFIX + width) != Some(rest.len()) {
        return Err(BackgroundError::Format);
    }
    rest.chunks_exact(PREFIX + width).map(vector).collect()
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, others) = rest.split_first_chunk()?;
    *rest = others;
    Some(*first)
}

fn vector(mut row: &[u8]) -> Result<TextVector, BackgroundError> {
    let [language] = take(&mut row).ok_or(BackgroundError::Format)?;
    let scale = f32::from_le_bytes(take(&mut row).ok_or(BackgroundError::Format)?);
    if !scale.is_finite() {
        return Err(BackgroundError::NotFinite);
    }
    let numbers = row.iter().map(|byte| f32::from(byte.cast_signed()) * scale).collect();
    Ok(TextVector { numbers, language })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(numbers: &[f32], language: u8) -> TextVector {
        TextVector { numbers: numbers.into(), language }
    }

    #[test]
    fn vectors_are_read_as_they_were_written_within_half_a_step() {
        let vectors =
            [vector(&[1.0, -0.5, 0.003], 0), vector(&[0.0, 0.0, 0.0], 200), vector(&[-20.0, 7.3, 1.1], 3)];
        let read = from_bytes(&to_bytes(&vectors, 7), 7).unwrap();
        assert_eq!(read.iter().map(|vector| vector.language).collect::<Vec<_>>(), [0, 200, 3]);
        for (vector, read) in vectors.iter().zip(&read) {
            let step = vector.numbers.iter().map(|number| number.abs()).fold(0.0, f32::max) / 127.0;
            let is_near = |(one, other): (&f32, &f32)| (one - other).abs() <= step / 2.0 + 1e-6;
            assert!(vector.numbers.iter().zip(&*read.numbers).all(is_near), "{vector:?} {read:?}");
        }
    }

    #[test]
    fn a_background_of_other_weights_is_refused() {
        let error = from_bytes(&to_bytes(&[vector(&[1.0], 0)], 7), 8).unwrap_err();
        assert_eq!(error, BackgroundError::OtherWeights { made_with: 7, read_with: 8 });
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let file = to_bytes(&[vector(&[1.0, 2.0], 0)], 7);
        let error = |file: &[u8]| from_bytes(file, 7).unwrap_err();
        for length in 0..file.len() {
            assert_eq!(error(&file[..length]), BackgroundError::Format, "{length}");
        }
        for (at, byte) in [(0, b'X'), (4, 2), (16, 3), (20, 2)] {
            let mut changed = file.clone();
            changed[at] = byte;
            assert_eq!(error(&changed), BackgroundError::Format, "{at}");
        }
        let mut infinite = file.clone();
        infinite[HEADER + 1..HEADER + PREFIX].copy_from_slice(&f32::INFINITY.to_le_bytes());
        assert_eq!(error(&infinite), BackgroundError::NotFinite);
    }
}
