//! What the encoder computes: vectors of words, layers, and a head that says what it makes of the whole.
//!
//! From the first layer's questions on two neighbours are read as one, which halves nearly all of the work (Z. Dai et al.,
//! "Funnel-Transformer", <https://arxiv.org/abs/2006.03236>).

use guardengine_engine::scores::LabelScores;
use guardengine_matmul::DenseLinear;

use super::{
    PIECES,
    layer::{Layer, Norm, Scratch, WIDTH},
    weights::{Misshapen, Weights},
};
use crate::{
    CASCADE_LABELS,
    calibration::{EPSILON, log_odds},
};

/// Of the early exit: what it sees of the states is brought down to so many numbers.
const EARLY: usize = 256;

/// The states of a text one after the other, [`WIDTH`] numbers each.
pub type States = Vec<f32>;

/// The weights of the whole.
pub struct Network {
    words: Words,
    /// What is added to the vector of each place's word.
    places: Vec<f32>,
    norm: Norm,
    first: Layer,
    rest: Vec<Layer>,
    early: [DenseLinear; 2],
    head: DenseLinear,
}

/// The vectors of words, read where they stand in the file: a signed byte for each number.
struct Words {
    bytes: &'static [u8],
    /// What a step is worth in each word's vector.
    scales: Vec<f32>,
}

impl Network {
    /// The network of the file, which knows so many words.
    pub fn new(file: &'static [u8], words: usize) -> Result<Self, Misshapen> {
        let weights = Weights::new(file)?;
        let dense = |name, from, to| weights.dense_linear(name, [from, to]);
        let early =
            [dense("early.inner", 2 * WIDTH, EARLY)?, dense("early.outer", EARLY, CASCADE_LABELS.len())?];
        let head = dense("head", 2 * WIDTH, CASCADE_LABELS.len())?;
        let numbers = (1..).take_while(|number| weights.has(&format!("layers.{number}.asked.weight")));
        let layer = |number| Layer::new(&weights, number);
        Ok(Self {
            words: Words {
                bytes: weights.bytes("words.weight", &[words, WIDTH])?,
                scales: weights.floats("words.scales", &[words])?,
            },
            places: weights.floats("places", &[PIECES, WIDTH])?,
            norm: Norm::new(&weights, "norm")?,
            first: layer(0)?,
            rest: numbers.map(layer).collect::<Result<_, _>>()?,
            early,
            head,
        })
    }

    /// The states of pairs after the first layer, of [`PIECES`] pieces at most.
    pub fn begin(&self, pieces: &[u32], scratch: &mut Scratch) -> States {
        let mut vectors = self.words.vectors(pieces);
        for (number, place) in vectors.iter_mut().zip(&self.places) {
            *number += place;
        }
        self.norm.apply(&mut vectors);
        let mut pairs = paired(&vectors);
        self.first.read(&mut pairs, Some(&vectors), scratch);
        pairs
    }

    /// What the early exit says of the states.
    pub fn early(&self, states: &States) -> LabelScores {
        let [inner, outer] = &self.early;
        let mut seen = inner.of(&pooled(states));
        for number in &mut seen {
            *number = number.max(0.0);
        }
        of_labels(&outer.of(&seen))
    }

    /// What the head says after the other layers.
    pub fn finish(&self, mut states: States, scratch: &mut Scratch) -> LabelScores {
        for layer in &self.rest {
            layer.read(&mut states, None, scratch);
        }
        of_labels(&self.head.of(&pooled(&states)))
    }
}

impl Words {
    fn vectors(&self, pieces: &[u32]) -> Vec<f32> {
        let mut vectors = Vec::with_capacity(pieces.len() * WIDTH);
        for piece in pieces.iter().map(|piece| *piece as usize) {
            let scale = self.scales[piece];
            let bytes = &self.bytes[piece * WIDTH..][..WIDTH];
            vectors.extend(bytes.iter().map(|byte| f32::from(byte.cast_signed()) * scale));
        }
        vectors
    }
}

/// The mean of each two neighbours, of a last one without neighbour itself.
fn paired(states: &[f32]) -> States {
    let mut pairs = Vec::with_capacity(states.len() / 2 + WIDTH);
    for both in states.chunks(2 * WIDTH) {
        match both.split_at_checked(WIDTH) {
            Some((one, other)) if !other.is_empty() => {
                pairs.extend(one.iter().zip(other).map(|(one, other)| (one + other) * 0.5));
            }
            _ => pairs.extend_from_slice(both),
        }
    }
    pairs
}

/// Mean and greatest of the states, number by number.
fn pooled(states: &[f32]) -> Vec<f32> {
    let (mut pooled, share) = (vec![0.0; 2 * WIDTH], (states.len() / WIDTH) as f32);
    let (mean, greatest) = pooled.split_at_mut(WIDTH);
    greatest.fill(f32::NEG_INFINITY);
    for state in states.chunks_exact(WIDTH) {
        for ((number, mean), greatest) in state.iter().zip(&mut *mean).zip(&mut *greatest) {
            *mean += number / share;
            *greatest = greatest.max(*number);
        }
    }
    pooled
}

fn of_labels(numbers: &[f32]) -> LabelScores {
    let unknown = log_odds(EPSILON);
    std::array::from_fn(|label| numbers.get(label).copied().unwrap_or(unknown))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(numbers: &[f32]) -> States {
        numbers.iter().flat_map(|number| [*number; WIDTH]).collect()
    }

    #[test]
    fn neighbours_are_read_as_one_and_a_last_one_as_itself() {
        assert_eq!(paired(&states(&[1.0, 3.0, 5.0])), states(&[2.0, 5.0]));
        assert_eq!(paired(&states(&[1.0, 2.0])), states(&[1.5]));
    }

    #[test]
    fn a_text_is_pooled_to_its_mean_and_its_greatest() {
        assert_eq!(pooled(&states(&[-1.0, 3.0])), states(&[1.0, 3.0]));
    }
}
