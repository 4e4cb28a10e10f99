//! The network: embeddings, layers that read every piece, layers that read neighbors as one, and a head for each task.

use std::{borrow::Cow, ops::Range};

use rten_simd::SimdOp as _;
use rten_vecmath::Softmax;
use safetensors::Dtype;

use super::{
    config::{BLOCK, Config, Shape},
    layer::{Layer, LayerScratch, Norm},
    weights::{WeightsError, WeightsFile},
};
use crate::int8_matmul::DenseLinear;

/// Bytes of a block of embeddings: a scale of 16 bits, and half a byte for each weight.
const BLOCK_BYTES: usize = 2 + BLOCK / 2;

/// The weights of the whole.
pub struct Network {
    shape: Shape,
    words: Words,
    /// Added to the embedding at each position.
    positions: Vec<f32>,
    /// Added to every embedding of a text in that role.
    roles: Vec<f32>,
    norm: Norm,
    lower: Vec<Layer>,
    upper: Vec<Layer>,
    early: DenseLinear,
    tags: DenseLinear,
    language: DenseLinear,
    late: DenseLinear,
}

/// Embeddings in Q4_0, as they are in the file.
struct Words {
    blocks: Cow<'static, [u8]>,
    width: usize,
}

/// Buffers of a reading, kept from one to the next.
#[derive(Default)]
pub struct Scratch {
    layer: LayerScratch,
    states: Vec<f32>,
    /// The rows of each window in `states`.
    rows: Vec<Range<usize>>,
    /// Mean and maximum of the upper states of each window, then of its lower ones.
    pooled: Vec<f32>,
}

/// The answers of the heads for a window.
#[derive(Debug)]
pub struct Outputs {
    /// One for each label.
    pub logits: Vec<f32>,
    /// True where the logits are those of the early exit.
    pub left_early: bool,
    /// Probabilities of the tags, for each piece in turn.
    pub tags: Vec<f32>,
    /// Probabilities of the languages.
    pub languages: Vec<f32>,
}

impl Network {
    /// The network of a file. `own` decides whether the embeddings are borrowed or copied.
    pub fn new<'f>(
        file: &WeightsFile<'f>,
        config: &Config,
        own: impl FnOnce(&'f [u8]) -> Cow<'static, [u8]>,
    ) -> Result<Self, WeightsError> {
        let shape = config.shape;
        let width = shape.width;
        let head = |name, inputs, names: &[String]| file.dense_linear(name, [inputs, names.len()]);
        let layers = |numbers: Range<usize>| {
            numbers.map(|number| Layer::new(file, &shape, number)).collect::<Result<Vec<_>, _>>()
        };
        let longest = config.windows.content + 2;
        Ok(Self {
            words: Words::new(file, &shape, own)?,
            positions: file.floats("positions.weight", &[longest, width])?,
            roles: file.floats("roles.weight", &[config.roles.len(), width])?,
            norm: Norm::new(file, "norm", &shape)?,
            lower: layers(0..shape.lower)?,
            upper: layers(shape.lower..shape.layers)?,
            early: head("early", 2 * width, &config.labels)?,
            tags: head("tags", width, &config.tags)?,
            language: head("language", 2 * width, &config.languages)?,
            late: head("late", 4 * width, &config.labels)?,
            shape,
        })
    }

    /// Returns the answers of the heads for each window. Windows of which the early exit gives no label at least the logit `exit_below`
    /// are read no further.
    pub fn read(
        &self,
        windows: &[Vec<u32>],
        role: usize,
        exit_below: f32,
        scratch: &mut Scratch,
    ) -> Vec<Outputs> {
        self.embed(windows, role, scratch);
        let Scratch { layer, states, rows, .. } = &mut *scratch;
        for lower in &self.lower {
            lower.run(states, rows, layer);
        }
        let mut outputs: Vec<Outputs> =
            (0..windows.len()).map(|window| self.lower_outputs(window, exit_below, scratch)).collect();
        self.shorten(&outputs, scratch);
        let Scratch { layer, states, rows, pooled } = scratch;
        for upper in &self.upper {
            upper.run(states, rows, layer);
        }
        let width = self.shape.width;
        let read_on = outputs.iter_mut().zip(pooled.chunks_exact_mut(4 * width));
        let read_on = read_on.filter(|(output, _)| !output.left_early);
        for ((output, pooled), rows) in read_on.zip(rows) {
            pool(&states[rows.start * width..rows.end * width], &mut pooled[..2 * width]);
            output.logits = self.late.of(pooled);
        }
        outputs
    }

    fn embed(&self, windows: &[Vec<u32>], role: usize, scratch: &mut Scratch) {
        let width = self.shape.width;
        let Scratch { states, rows, .. } = scratch;
        states.resize(windows.iter().map(Vec::len).sum::<usize>() * width, 0.0);
        rows.clear();
        let mut row = 0;
        for window in windows {
            rows.push(row..row + window.len());
            let positions = self.positions.chunks_exact(width);
            let own = states[row * width..].chunks_exact_mut(width);
            for ((state, id), position) in own.zip(window).zip(positions) {
                self.words.write(*id as usize, state);
                for ((number, position), role) in
                    state.iter_mut().zip(position).zip(&self.roles[role * width..])
                {
                    *number += position + role;
                }
                self.norm.apply(state);
            }
            row += window.len();
        }
    }

    /// The answers of the heads behind the lower layers. Marks at begin and end have no tags.
    fn lower_outputs(&self, window: usize, exit_below: f32, scratch: &mut Scratch) -> Outputs {
        let width = self.shape.width;
        let Scratch { states, rows, pooled, .. } = scratch;
        let states = &states[rows[window].start * width..rows[window].end * width];
        pooled.resize(rows.len() * 4 * width, 0.0);
        let low = &mut pooled[(4 * window + 2) * width..][..2 * width];
        pool(states, low);
        let logits = self.early.of(low);
        let mut tags = self.tags.of(&states[width..states.len() - width]);
        let mut languages = self.language.of(low);
        for row in tags.chunks_exact_mut(self.tags.outputs()).chain([languages.as_mut_slice()]) {
            Softmax::new_mut(row).dispatch();
        }
        let left_early = logits.iter().all(|logit| *logit < exit_below);
        Outputs { logits, left_early, tags, languages }
    }

    /// Keeps the windows that are read on, and replaces neighbors by their mean.
    fn shorten(&self, outputs: &[Outputs], scratch: &mut Scratch) {
        let Shape { width, stride, .. } = self.shape;
        let Scratch { states, rows, .. } = scratch;
        let mut free = 0;
        let mut kept = 0;
        for (place, output) in outputs.iter().enumerate() {
            if output.left_early {
                continue;
            }
            let first = free;
            let window = rows[place].clone();
            for from in window.clone().step_by(stride) {
                mean(states, from..(from + stride).min(window.end), free, width);
                free += 1;
            }
            rows[kept] = first..free;
            kept += 1;
        }
        rows.truncate(kept);
        states.truncate(free * width);
    }
}

impl Words {
    fn new<'f>(
        file: &WeightsFile<'f>,
        shape: &Shape,
        own: impl FnOnce(&'f [u8]) -> Cow<'static, [u8]>,
    ) -> Result<Self, WeightsError> {
        let row = shape.width / BLOCK * BLOCK_BYTES;
        let blocks = file.bytes("words.blocks", Dtype::U8, &[shape.pieces, row])?;
        let (each, _) = blocks.as_chunks::<BLOCK_BYTES>();
        if each.iter().all(|block| half(block).is_finite()) {
            Ok(Self { blocks: own(blocks), width: shape.width })
        } else {
            Err(WeightsError::NotFinite { name: "words.blocks".to_owned() })
        }
    }

    fn write(&self, id: usize, state: &mut [f32]) {
        let row = self.width / BLOCK * BLOCK_BYTES;
        let (blocks, _) = self.blocks[id * row..(id + 1) * row].as_chunks::<BLOCK_BYTES>();
        for (block, numbers) in blocks.iter().zip(state.chunks_exact_mut(BLOCK)) {
            let scale = half(block);
            let (low, high) = numbers.split_at_mut(BLOCK / 2);
            for ((byte, low), high) in block[2..].iter().zip(low).zip(high) {
                *low = (f32::from(byte & 15) - 8.0) * scale;
                *high = (f32::from(byte >> 4) - 8.0) * scale;
            }
        }
    }
}

/// The scale of a block: a binary16 number of IEEE 754, as binary32.
fn half(block: &[u8; BLOCK_BYTES]) -> f32 {
    let bits = u16::from_le_bytes([block[0], block[1]]);
    let (exponent, fraction) = (u32::from(bits >> 10 & 31), u32::from(bits & 1023));
    let size = match exponent {
        0 => fraction as f32 / (1 << 24) as f32,
        31 => f32::INFINITY,
        _ => f32::from_bits((exponent + 127 - 15) << 23 | fraction << 13),
    };
    if bits >> 15 == 0 { size } else { -size }
}

/// Writes the mean of the rows `from` to row `to`, which is none behind them.
fn mean(states: &mut [f32], from: Range<usize>, to: usize, width: usize) {
    let share = (from.len() as f32).recip();
    for column in 0..width {
        let sum: f32 = from.clone().map(|row| states[row * width + column]).sum();
        states[to * width + column] = sum * share;
    }
}

/// Writes mean and maximum of the states, number by number.
fn pool(states: &[f32], to: &mut [f32]) {
    let (mean, maximum) = to.split_at_mut(to.len() / 2);
    mean.fill(0.0);
    maximum.fill(f32::NEG_INFINITY);
    for state in states.chunks_exact(mean.len()) {
        for ((number, mean), maximum) in state.iter().zip(&mut *mean).zip(&mut *maximum) {
            *mean += number;
            *maximum = maximum.max(*number);
        }
    }
    let share = mean.len() as f32 / states.len() as f32;
    for number in mean {
        *number *= share;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_become_their_mean_and_the_last_stays_alone() {
        let mut states = vec![1.0, 10.0, 3.0, 30.0, 5.0, 50.0];
        mean(&mut states, 0..2, 0, 2);
        mean(&mut states, 2..3, 1, 2);
        assert_eq!(states[..4], [2.0, 20.0, 5.0, 50.0]);
    }

    #[test]
    fn a_window_is_pooled_to_its_mean_and_its_maximum() {
        let mut pooled = [0.0; 4];
        pool(&[-1.0, 2.0, 3.0, 0.0], &mut pooled);
        assert_eq!(pooled, [1.0, 1.0, 3.0, 2.0]);
    }

    #[test]
    fn halves_are_read_as_ieee_754_has_them() {
        let read = |bits: u16| {
            let mut block = [0; BLOCK_BYTES];
            block[..2].copy_from_slice(&bits.to_le_bytes());
            half(&block)
        };
        assert_eq!([0x3c00, 0xc000, 0x3555, 0x0001].map(read), [1.0, -2.0, 0.333_251_95, 5.960_464_5e-8]);
        assert!(!read(0x7c00).is_finite() && !read(0x7e00).is_finite());
    }
}
