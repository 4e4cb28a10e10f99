//! Products of states with weights, most of them in eight bits: a byte for each number of a row, with a scale for the row,
//! times a signed byte for each weight, with a scale for the column.
//!
//! The products themselves are those of `rten-gemm`, which knows each processor's instructions. Around them everything is
//! ours: as a graph of `rten` the same weights take 1.5 times as long (bench `encoder`).

mod attention;
mod vector;

pub use attention::{AttentionScratch, attend};
use rten_gemm::{BiasVector, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_simd::SimdOp as _;
use rten_tensor::{NdTensorView, prelude::*};
use rten_vecmath::MinMax;
pub use vector::{Int8Vector, quantize};

/// The sum of this and a number from 0 to 255 holds the nearest whole number in its lowest byte: 1.5 · 2²³, in whose
/// neighbourhood 32-bit floats are one apart.
const ROUNDING: f32 = 12_582_912.0;
/// The least scale of a row: one of zeros has some scale too.
const LEAST_SCALE: f32 = 1e-12;
/// Steps from the least to the greatest number of a row: two less than fit a byte, as zero lies on a step too.
const WIDE: f32 = 253.0;
/// The same where the processor adds up two products in 16 bits: 127 · 127 · 2 fits.
const NARROW: f32 = 125.0;
/// The reason why no product fails.
const SHAPES_FIT: &str = "shapes follow from those of the weights, which were checked when they were read";

/// The products for this processor.
struct Kernels {
    bytes: GemmExecutor<u8, i8, i32>,
    floats: GemmExecutor<f32>,
    /// Steps of a row.
    steps: f32,
}

thread_local! {
    /// They keep to a thread, and asking the processor what it can takes a while.
    static KERNELS: Kernels = Kernels::new();
}

/// Buffers of a product, kept from one to the next.
#[derive(Default)]
pub struct ProductScratch {
    rows: QuantizedRows,
    sums: Vec<i32>,
}

/// Rows in eight bits.
#[derive(Default)]
pub struct QuantizedRows {
    bytes: Vec<u8>,
    /// Which byte is zero in each row.
    zeros: Vec<f32>,
    /// The value of one step in each row.
    scales: Vec<f32>,
}

/// Weights in eight bits, and a bias.
pub struct Int8Linear {
    weights: PackedBMatrix<i8>,
    /// The sum of each column's weights: what each step of a row's zero adds to its products.
    sums: Vec<f32>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

/// Weights in 32 bits, and a bias.
pub struct DenseLinear {
    weights: PackedBMatrix<f32>,
    bias: Vec<f32>,
}

impl Kernels {
    fn new() -> Self {
        let bytes = GemmExecutor::default();
        let steps = if bytes.may_saturate() { NARROW } else { WIDE };
        Self { bytes, floats: GemmExecutor::default(), steps }
    }
}

impl QuantizedRows {
    /// Replaces the rows by these, of `width` numbers each.
    pub fn set(&mut self, states: &[f32], width: usize) {
        let steps = KERNELS.with(|kernels| kernels.steps);
        self.clear();
        for row in states.chunks_exact(width) {
            self.push(row, steps);
        }
    }

    /// Replaces the rows by `count` rows of `width` numbers that `fill` writes, one after the other, into `line`.
    pub fn fill(&mut self, count: usize, line: &mut [f32], mut fill: impl FnMut(usize, &mut [f32])) {
        let steps = KERNELS.with(|kernels| kernels.steps);
        self.clear();
        for row in 0..count {
            fill(row, line);
            self.push(line, steps);
        }
    }

    /// Multiplies a row by a positive number.
    pub fn scale(&mut self, row: usize, factor: f32) {
        self.scales[row] *= factor;
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.zeros.clear();
        self.scales.clear();
    }

    /// Brings a row to bytes, with so many steps from its least to its greatest number.
    fn push(&mut self, row: &[f32], steps: f32) {
        let (least, greatest) = MinMax::new(row).dispatch();
        let (least, greatest) = (least.min(0.0), greatest.max(0.0));
        let scale = ((greatest - least) / steps).max(LEAST_SCALE);
        // Rounded up, so that no number of the row lies below 0.
        let zero = (-least / scale).ceil();
        let (per, shift) = (scale.recip(), ROUNDING + zero);
        self.bytes.extend(row.iter().map(|number| (number * per + shift).to_bits() as u8));
        self.zeros.push(zero);
        self.scales.push(scale);
    }
}

impl Int8Linear {
    /// Weights of a row for each input and a column for each output, with a scale and a bias for each output.
    pub fn new(weights: NdTensorView<'_, i8, 2>, scales: Vec<f32>, bias: Vec<f32>) -> Self {
        let sum = |column| weights.slice((.., column)).iter().map(|weight| f32::from(*weight)).sum();
        Self {
            sums: (0..weights.size(1)).map(sum).collect(),
            weights: KERNELS.with(|kernels| kernels.bytes.prepack_b(weights)),
            scales,
            bias,
        }
    }

    /// Numbers of an input row.
    pub fn inputs(&self) -> usize {
        self.weights.rows()
    }

    /// Numbers of an output row.
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Writes the product of the states to `to`.
    pub fn set(&self, states: &[f32], scratch: &mut ProductScratch, to: &mut [f32]) {
        let ProductScratch { rows, sums } = scratch;
        rows.set(states, self.inputs());
        self.multiply(rows, sums);
        for (row, line) in to.chunks_exact_mut(self.outputs()).enumerate() {
            self.set_row(rows, sums, row, line);
        }
    }

    /// Adds the product of the states to `to`.
    pub fn add(&self, states: &[f32], scratch: &mut ProductScratch, to: &mut [f32]) {
        let ProductScratch { rows, sums } = scratch;
        rows.set(states, self.inputs());
        self.multiply(rows, sums);
        for (row, line) in to.chunks_exact_mut(self.outputs()).enumerate() {
            self.add_row(rows, sums, row, line);
        }
    }

    /// The products of the rows' bytes with those of the weights; [`Self::add_row`] makes numbers of them.
    pub fn multiply(&self, rows: &QuantizedRows, sums: &mut Vec<i32>) {
        let count = rows.scales.len();
        let sums = at_least(sums, count * self.outputs());
        let bytes = NdTensorView::from_data([count, self.inputs()], rows.bytes.as_slice());
        let (bytes, weights) = (GemmInputA::Unpacked(bytes), GemmInputB::Packed(&self.weights));
        let multiplied =
            KERNELS.with(|kernels| kernels.bytes.gemm(sums, bytes, weights, GemmOptions::default()));
        multiplied.expect(SHAPES_FIT);
    }

    /// Adds a row of the product to `to`.
    pub fn add_row(&self, rows: &QuantizedRows, sums: &[i32], row: usize, to: &mut [f32]) {
        for (to, number) in to.iter_mut().zip(self.row(rows, sums, row)) {
            *to += number;
        }
    }

    /// Writes a row of the product to `to`.
    pub fn set_row(&self, rows: &QuantizedRows, sums: &[i32], row: usize, to: &mut [f32]) {
        for (to, number) in to.iter_mut().zip(self.row(rows, sums, row)) {
            *to = number;
        }
    }

    #[inline]
    fn row(&self, rows: &QuantizedRows, sums: &[i32], row: usize) -> impl Iterator<Item = f32> {
        let (zero, scale) = (rows.zeros[row], rows.scales[row]);
        let sums = &sums[row * self.outputs()..][..self.outputs()];
        let columns = self.sums.iter().zip(&self.scales).zip(&self.bias);
        sums.iter()
            .zip(columns)
            .map(move |(sum, ((all, step), bias))| (*sum as f32 - zero * all) * (scale * step) + bias)
    }
}

impl DenseLinear {
    /// Weights of a row for each input and a column for each output, with a bias for each output.
    pub fn new(weights: NdTensorView<'_, f32, 2>, bias: Vec<f32>) -> Self {
        Self { weights: KERNELS.with(|kernels| kernels.floats.prepack_b(weights)), bias }
    }

    /// Numbers of an output row.
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// The product of rows that follow each other.
    pub fn of(&self, rows: &[f32]) -> Vec<f32> {
        let count = rows.len() / self.weights.rows();
        self.of_rows(NdTensorView::from_data([count, self.weights.rows()], rows))
    }

    /// The product of rows, which may overlap: those of a convolution do.
    pub fn of_rows(&self, rows: NdTensorView<'_, f32, 2>) -> Vec<f32> {
        let mut product = vec![0.0; rows.size(0) * self.outputs()];
        let options = GemmOptions { bias: Some(BiasVector::Row(&self.bias)), ..GemmOptions::default() };
        multiply(rows, GemmInputB::Packed(&self.weights), options, &mut product);
        product
    }
}

/// The first numbers of a buffer, which grows and never shrinks; what they hold is overwritten.
pub fn at_least<N: Clone + Default>(buffer: &mut Vec<N>, length: usize) -> &mut [N] {
    if buffer.len() < length {
        buffer.resize(length, N::default());
    }
    &mut buffer[..length]
}

/// A product in 32 bits.
pub fn multiply(
    one: NdTensorView<'_, f32, 2>,
    other: GemmInputB<'_, f32>,
    options: GemmOptions<'_, f32, f32, f32>,
    to: &mut [f32],
) {
    let done = KERNELS.with(|kernels| kernels.floats.gemm(to, GemmInputA::Unpacked(one), other, options));
    done.expect(SHAPES_FIT);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number between -1 and 1 for each place, without order.
    fn any(place: usize) -> f32 {
        (place as f32 * 12.9898).sin()
    }

    // More rows than a processor takes at once.
    #[test]
    fn a_product_of_bytes_is_nearly_that_of_the_numbers() {
        let [length, rows, columns] = [37, 64, 48];
        let weights: Vec<i8> = (0..rows * columns).map(|at| (any(at) * 127.0) as i8).collect();
        let scales: Vec<f32> = (0..columns).map(|column| 0.01 + 0.001 * column as f32).collect();
        let matrix = NdTensorView::from_data([rows, columns], weights.as_slice());
        let product = Int8Linear::new(matrix, scales.clone(), scales.clone());
        // Each row has a zero of its own.
        let states: Vec<f32> = (0..length * rows).map(|at| any(at + 7) + 0.05 * (at / rows) as f32).collect();
        let mut sums = vec![1.0; length * columns];
        product.add(&states, &mut ProductScratch::default(), &mut sums);
        // Numbers were rounded to steps of some 0.008, where a processor takes them wide, and 64 of them times weights of
        // up to 7 added up.
        let most = 0.5 * WIDE / KERNELS.with(|kernels| kernels.steps);
        for (at, sum) in sums.iter().enumerate() {
            let (row, column) = (&states[at / columns * rows..][..rows], at % columns);
            let weight = |from: usize| f32::from(weights[from * columns + column]) * scales[column];
            let exact: f32 = (0..rows).map(|from| row[from] * weight(from)).sum();
            let expected = 1.0 + exact + scales[column];
            assert!((sum - expected).abs() < most, "{at}: {sum}, not {expected}");
        }
    }

    /// Numbers as they come back from bytes, with what a step of their row is worth.
    fn there_and_back(states: &[f32], width: usize, steps: f32) -> Vec<(f32, f32)> {
        let mut rows = QuantizedRows::default();
        for row in states.chunks_exact(width) {
            rows.push(row, steps);
        }
        let of_row = |at: usize| (rows.zeros[at / width], rows.scales[at / width]);
        let back =
            |(at, byte): (usize, &u8)| ((f32::from(*byte) - of_row(at).0) * of_row(at).1, of_row(at).1);
        assert!(rows.bytes.iter().all(|byte| f32::from(*byte) <= steps + 1.0));
        rows.bytes.iter().enumerate().map(back).collect()
    }

    #[test]
    fn rows_come_back_from_bytes_to_within_half_a_step() {
        let waves = (0..96).map(|at: u8| (f32::from(at) * 0.37).sin() * f32::from(at % 7));
        let of_one_sign_or_none = [1.0, 2.0, 3.0, 4.0, -3.0, -1.5, -0.1, -2.0, 0.0, 0.0, 0.0, 0.0];
        let states: Vec<f32> = waves.chain(of_one_sign_or_none).collect();
        for steps in [NARROW, WIDE] {
            for (number, (back, step)) in states.iter().zip(there_and_back(&states, 4, steps)) {
                assert!((back - number).abs() <= step * 0.51, "{number} became {back}");
            }
        }
    }
}
