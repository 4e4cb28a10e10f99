//! The network: embeddings, a merge that makes one state of neighboring pieces, layers, and a head for each task.

use std::{borrow::Cow, ops::Range, sync::Arc};

use guardengine_matmul::{DenseLinear, Int8Linear, QuantizedRows, at_least};
use rten_simd::{SimdOp as _, SimdUnaryOp as _};
use rten_vecmath::{Gelu, Softmax};
use safetensors::Dtype;

use super::{
    config::{BLOCK, Config, Shape},
    layer::{Layer, LayerScratch, Norm},
    weights::{WeightsError, WeightsFile},
};

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
    /// Read every piece.
    lower: Vec<Layer>,
    merge: Int8Linear,
    /// Read groups of pieces, before the early exit.
    middle: Vec<Layer>,
    /// Read the groups of those windows that do not leave there.
    upper: Vec<Layer>,
    early: DenseLinear,
    tagger: Tagger,
    language: DenseLinear,
    late: DenseLinear,
}

/// Embeddings in Q4_0, as they are in the file.
struct Words {
    blocks: Cow<'static, [u8]>,
    width: usize,
}

/// Tags a piece by what it and its neighbors say, and by the state of its group.
struct Tagger {
    /// For each piece what it says to each neighbor, from the one behind it to the one in front, itself among them.
    pieces: Int8Linear,
    groups: Int8Linear,
    out: DenseLinear,
}

/// Buffers of a reading, kept from one to the next.
#[derive(Default)]
pub struct Scratch {
    layer: LayerScratch,
    /// The states of pieces. Each window is followed by zeros up to a whole group.
    pieces: Vec<f32>,
    /// The rows of each window in `pieces`.
    rows: Vec<Range<usize>>,
    groups: Vec<f32>,
    /// The rows of each window in `groups`; after the early exit, of those that are read on.
    group_rows: Vec<Range<usize>>,
    /// Mean and maximum of the upper states of each window, then of those at the early exit.
    pooled: Vec<f32>,
    product: HeadScratch,
}

#[derive(Default)]
struct HeadScratch {
    rows: QuantizedRows,
    sums: Vec<i32>,
    said: Vec<f32>,
    above: Vec<f32>,
    hidden: Vec<f32>,
}

/// The answers of the heads for a window.
#[derive(Debug)]
pub struct Outputs {
    /// The logits of the early exit, one for each label.
    pub early: Vec<f32>,
    /// The logits after all layers. `None` where the window left early.
    pub late: Option<Vec<f32>>,
    /// The sentence vector: the mean of the states after all layers. `None` where the window left early.
    pub vector: Option<Arc<[f32]>>,
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
        let Shape { width, stride, .. } = shape;
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
            merge: file.int8_linear(&["merge.whole".to_owned()], [stride * width, width])?,
            middle: layers(shape.lower..shape.exit)?,
            upper: layers(shape.exit..shape.layers)?,
            early: head("early", 2 * width, &config.labels)?,
            tagger: Tagger::new(file, &shape, &config.tags)?,
            language: head("language", 2 * width, &config.languages)?,
            late: head("late", 4 * width, &config.labels)?,
            shape,
        })
    }

    /// Returns the answers of the heads for each window. `leaves` is asked with the number of a window and its early logits
    /// whether it is read no further.
    pub fn read(
        &self,
        windows: &[&[u32]],
        role: usize,
        leaves: impl Fn(usize, &[f32]) -> bool,
        scratch: &mut Scratch,
    ) -> Vec<Outputs> {
        self.embed(windows, role, scratch);
        let Scratch { layer, pieces, rows, .. } = &mut *scratch;
        for lower in &self.lower {
            lower.run(pieces, rows, layer);
        }
        self.merge(scratch);
        let Scratch { layer, groups, group_rows, .. } = &mut *scratch;
        for middle in &self.middle {
            middle.run(groups, group_rows, layer);
        }
        let mut outputs: Vec<_> =
            (0..windows.len()).map(|window| self.exit_outputs(window, scratch)).collect();
        let stays: Vec<bool> =
            outputs.iter().enumerate().map(|(window, output)| !leaves(window, &output.early)).collect();
        self.drop_windows(&stays, scratch);
        let Scratch { layer, groups, group_rows, pooled, .. } = scratch;
        for upper in &self.upper {
            upper.run(groups, group_rows, layer);
        }
        let width = self.shape.width;
        let read_on = outputs.iter_mut().zip(pooled.chunks_exact_mut(4 * width));
        let read_on = read_on.zip(&stays).filter(|(_, stays)| **stays).map(|(read_on, _)| read_on);
        for ((output, pooled), rows) in read_on.zip(group_rows) {
            pool(&groups[rows.start * width..rows.end * width], &mut pooled[..2 * width]);
            output.vector = Some(pooled[..width].into());
            output.late = Some(self.late.of(pooled));
        }
        outputs
    }

    fn embed(&self, windows: &[&[u32]], role: usize, scratch: &mut Scratch) {
        let Shape { width, stride, .. } = self.shape;
        let Scratch { pieces, rows, .. } = scratch;
        pieces.clear();
        rows.clear();
        for window in windows {
            let first = pieces.len() / width;
            pieces.resize((first + window.len().next_multiple_of(stride)) * width, 0.0);
            rows.push(first..first + window.len());
            let positions = self.positions.chunks_exact(width);
            let own = pieces[first * width..].chunks_exact_mut(width);
            for ((state, id), position) in own.zip(*window).zip(positions) {
                self.words.write(*id as usize, state);
                for ((number, position), role) in
                    state.iter_mut().zip(position).zip(&self.roles[role * width..])
                {
                    *number += position + role;
                }
                self.norm.apply(state);
            }
        }
    }

    /// Makes one state of each `stride` pieces. A group of fewer at the end of a window counts as much as a whole one.
    fn merge(&self, scratch: &mut Scratch) {
        let Shape { width, stride, .. } = self.shape;
        let Scratch { pieces, rows, groups, group_rows, product, .. } = scratch;
        let HeadScratch { rows: merged, sums, .. } = product;
        group_rows.clear();
        for window in &*rows {
            let (first, behind) = (window.start / stride, window.end.next_multiple_of(stride));
            group_rows.push(first..behind / stride);
            pieces[window.end * width..behind * width].fill(0.0);
        }
        merged.set(pieces, stride * width);
        for (window, own) in rows.iter().zip(&*group_rows) {
            let missing = own.len() * stride - window.len();
            merged.scale(own.end - 1, stride as f32 / (stride - missing) as f32);
        }
        self.merge.multiply(merged, sums);
        groups.resize(pieces.len() / stride, 0.0);
        for (row, group) in groups.chunks_exact_mut(width).enumerate() {
            self.merge.set_row(merged, sums, row, group);
        }
    }

    /// The answers of the heads at the early exit.
    fn exit_outputs(&self, window: usize, scratch: &mut Scratch) -> Outputs {
        let width = self.shape.width;
        let Scratch { pieces, rows, groups, group_rows, pooled, product, .. } = scratch;
        let states = |rows: &Range<usize>| rows.start * width..rows.end * width;
        pooled.resize(rows.len() * 4 * width, 0.0);
        let low = &mut pooled[(4 * window + 2) * width..][..2 * width];
        let groups = &groups[states(&group_rows[window])];
        pool(groups, low);
        let early = self.early.of(low);
        let mut tags = self.tagger.tags(&pieces[states(&rows[window])], groups, &self.shape, product);
        let mut languages = self.language.of(low);
        for row in tags.chunks_exact_mut(self.tagger.out.outputs()).chain([languages.as_mut_slice()]) {
            Softmax::new_mut(row).dispatch();
        }
        Outputs { early, late: None, vector: None, tags, languages }
    }

    /// Keeps the groups of the windows that are read on.
    fn drop_windows(&self, stays: &[bool], scratch: &mut Scratch) {
        let width = self.shape.width;
        let Scratch { groups, group_rows, .. } = scratch;
        let mut free = 0;
        let mut kept = 0;
        for (place, _) in stays.iter().enumerate().filter(|(_, stays)| **stays) {
            let window = group_rows[place].clone();
            groups.copy_within(window.start * width..window.end * width, free * width);
            group_rows[kept] = free..free + window.len();
            free += window.len();
            kept += 1;
        }
        group_rows.truncate(kept);
        groups.truncate(free * width);
    }
}

impl Tagger {
    fn new(file: &WeightsFile<'_>, shape: &Shape, tags: &[String]) -> Result<Self, WeightsError> {
        let Shape { width, near, tagger, .. } = *shape;
        let said = (2 * near + 1) * tagger;
        Ok(Self {
            // The groups' product has the bias.
            pieces: file.int8_matrix(&["tagger.pieces".to_owned()], [width, said], vec![0.0; said])?,
            groups: file.int8_linear(&["tagger.groups".to_owned()], [width, tagger])?,
            out: file.dense_linear("tagger.out", [tagger, tags.len()])?,
        })
    }

    /// The logits of the tags for each piece of a window. The marks at its begin and end have none.
    fn tags(&self, pieces: &[f32], groups: &[f32], shape: &Shape, scratch: &mut HeadScratch) -> Vec<f32> {
        let Shape { width, near, tagger, stride, .. } = *shape;
        let HeadScratch { rows, sums, said, above, hidden } = scratch;
        let count = pieces.len() / width;
        let said = product(&self.pieces, pieces, rows, sums, said);
        let above = product(&self.groups, groups, rows, sums, above);
        let hidden = at_least(hidden, (count - 2) * tagger);
        for (piece, line) in (1..count - 1).zip(hidden.chunks_exact_mut(tagger)) {
            line.copy_from_slice(&above[piece / stride * tagger..][..tagger]);
            for (part, neighbor) in (piece..=piece + 2 * near).enumerate() {
                // Counted from `near` pieces before the window.
                let Some(neighbor) = neighbor.checked_sub(near).filter(|neighbor| *neighbor < count) else {
                    continue;
                };
                let said = &said[(neighbor * (2 * near + 1) + part) * tagger..][..tagger];
                for (number, said) in line.iter_mut().zip(said) {
                    *number += said;
                }
            }
            Gelu {}.map_mut(line);
        }
        self.out.of(hidden)
    }
}

/// The product of states with weights, row after row.
fn product<'b>(
    weights: &Int8Linear,
    states: &[f32],
    rows: &mut QuantizedRows,
    sums: &mut Vec<i32>,
    to: &'b mut Vec<f32>,
) -> &'b [f32] {
    rows.set(states, weights.inputs());
    weights.multiply(rows, sums);
    let to = at_least(to, states.len() / weights.inputs() * weights.outputs());
    for (row, line) in to.chunks_exact_mut(weights.outputs()).enumerate() {
        weights.set_row(rows, sums, row, line);
    }
    to
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
