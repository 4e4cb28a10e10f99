//! Products of states with weights, most of them in eight bits: a byte for each number of a row, with a scale for the row,
//! times a signed byte for each weight, with a scale for the column.
//!
//! The products themselves are those of `rten-gemm`, which knows each processor's instructions. Around them everything is
//! ours: as a graph of `rten` the same weights take 1.5 times as long (bench `encoder`).

use rten_gemm::{BiasVector, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_simd::SimdOp as _;
use rten_tensor::NdTensorView;
use rten_vecmath::MinMax;

use super::weights::{Misshapen, Weights};

/// The sum of this and a number from 0 to 255 holds the nearest whole number in its lowest byte: 1.5 · 2²³, in whose
/// neighbourhood 32-bit floats are one apart.
const ROUNDING: f32 = 12_582_912.0;
/// The least scale of a row: one of zeros has some scale too.
const LEAST: f32 = 1e-12;
/// Steps from the least to the greatest number of a row: two less than fit a byte, as its nought lies on a step too.
const WIDE: f32 = 253.0;
/// The same where the processor adds up two products in 16 bits: 127 · 127 · 2 fits.
const NARROW: f32 = 125.0;
/// Why no product fails.
const FITTING: &str = "shapes follow from those of the weights, which were checked when they were read";

/// What multiplies on this processor.
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

/// Room for a product's way, kept from one to the next.
#[derive(Default)]
pub struct Room {
    rows: Rows,
    sums: Vec<i32>,
}

/// Rows in eight bits.
#[derive(Default)]
struct Rows {
    bytes: Vec<u8>,
    /// Which byte is nought in each row.
    zeros: Vec<f32>,
    /// What one step is worth in each row.
    scales: Vec<f32>,
}

/// Weights in eight bits, and what is added.
pub struct Product {
    weights: PackedBMatrix<i8>,
    /// The sum of each column's weights: what each step of a row's nought adds to its products.
    sums: Vec<f32>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

/// Weights in 32 bits, and what is added.
pub struct Dense {
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

impl Rows {
    /// Brings each row of so many numbers to bytes, with so many steps from its least to its greatest number.
    fn take(&mut self, states: &[f32], width: usize, steps: f32) {
        self.bytes.clear();
        self.zeros.clear();
        self.scales.clear();
        for row in states.chunks_exact(width) {
            let (least, greatest) = MinMax::new(row).dispatch();
            let (least, greatest) = (least.min(0.0), greatest.max(0.0));
            let scale = ((greatest - least) / steps).max(LEAST);
            // Rounded up, so that no number of the row lies below 0.
            let zero = (-least / scale).ceil();
            let (per, shift) = (scale.recip(), ROUNDING + zero);
            self.bytes.extend(row.iter().map(|number| (number * per + shift).to_bits() as u8));
            self.zeros.push(zero);
            self.scales.push(scale);
        }
    }
}

impl Product {
    /// The product of that name, from `rows` to `columns` numbers.
    pub fn new(weights: &Weights<'_>, name: &str, [rows, columns]: [usize; 2]) -> Result<Self, Misshapen> {
        let bytes = weights.bytes(&format!("{name}.weight"), &[rows, columns])?;
        let signed: Vec<i8> = bytes.iter().map(|byte| byte.cast_signed()).collect();
        let sum = |column| signed.iter().skip(column).step_by(columns).copied().map(f32::from).sum();
        let matrix = NdTensorView::from_data([rows, columns], signed.as_slice());
        Ok(Self {
            weights: KERNELS.with(|kernels| kernels.bytes.prepack_b(matrix)),
            sums: (0..columns).map(sum).collect(),
            scales: weights.floats(&format!("{name}.scales"), &[columns])?,
            bias: weights.floats(&format!("{name}.bias"), &[columns])?,
        })
    }

    /// Adds the product of the states to `to`.
    pub fn add(&self, states: &[f32], room: &mut Room, to: &mut [f32]) {
        let Room { rows, sums } = room;
        sums.resize(to.len(), 0);
        KERNELS.with(|kernels| {
            rows.take(states, self.weights.rows(), kernels.steps);
            let bytes =
                NdTensorView::from_data([rows.scales.len(), self.weights.rows()], rows.bytes.as_slice());
            let (bytes, weights) = (GemmInputA::Unpacked(bytes), GemmInputB::Packed(&self.weights));
            kernels.bytes.gemm(sums, bytes, weights, GemmOptions::default()).expect(FITTING);
        });
        let columns = self.bias.len();
        let nought = rows.zeros.iter().zip(&rows.scales);
        for ((line, sums), (zero, scale)) in
            to.chunks_exact_mut(columns).zip(sums.chunks_exact(columns)).zip(nought)
        {
            let of_column = self.sums.iter().zip(&self.scales).zip(&self.bias);
            for ((to, sum), ((all, step), bias)) in line.iter_mut().zip(sums).zip(of_column) {
                *to += (*sum as f32 - zero * all) * (scale * step) + bias;
            }
        }
    }
}

impl Dense {
    /// The product of that name, from `rows` to `columns` numbers.
    pub fn new(weights: &Weights<'_>, name: &str, [rows, columns]: [usize; 2]) -> Result<Self, Misshapen> {
        let floats = weights.floats(&format!("{name}.weight"), &[rows, columns])?;
        let floats = NdTensorView::from_data([rows, columns], floats.as_slice());
        Ok(Self {
            weights: KERNELS.with(|kernels| kernels.floats.prepack_b(floats)),
            bias: weights.floats(&format!("{name}.bias"), &[columns])?,
        })
    }

    /// The product of one row.
    pub fn of(&self, row: &[f32]) -> Vec<f32> {
        let mut product = vec![0.0; self.bias.len()];
        let options = GemmOptions { bias: Some(BiasVector::Row(&self.bias)), ..GemmOptions::default() };
        let row = NdTensorView::from_data([1, row.len()], row);
        multiply(row, GemmInputB::Packed(&self.weights), options, &mut product);
        product
    }
}

/// A product in 32 bits.
pub fn multiply(
    one: NdTensorView<'_, f32, 2>,
    other: GemmInputB<'_, f32>,
    options: GemmOptions<'_, f32, f32, f32>,
    to: &mut [f32],
) {
    let done = KERNELS.with(|kernels| kernels.floats.gemm(to, GemmInputA::Unpacked(one), other, options));
    done.expect(FITTING);
}

#[cfg(test)]
mod tests {
    use safetensors::{Dtype, serialize, tensor::TensorView};

    use super::*;

    /// A number between -1 and 1 for each place, without order.
    fn any(place: usize) -> f32 {
        (place as f32 * 12.9898).sin()
    }

    // More rows than a processor takes at once.
    #[test]
    fn a_product_of_bytes_is_nearly_that_of_the_numbers() {
        let [length, rows, columns] = [37, 64, 48];
        let bytes: Vec<u8> =
            (0..rows * columns).map(|at| ((any(at) * 127.0) as i8).cast_unsigned()).collect();
        let scales: Vec<f32> = (0..columns).map(|column| 0.01 + 0.001 * column as f32).collect();
        let raw: Vec<u8> = scales.iter().flat_map(|scale| scale.to_le_bytes()).collect();
        let view = |kind, shape, data| TensorView::new(kind, shape, data).unwrap();
        let file = serialize(
            [
                ("p.weight", view(Dtype::I8, vec![rows, columns], bytes.as_slice())),
                ("p.scales", view(Dtype::F32, vec![columns], &raw)),
                ("p.bias", view(Dtype::F32, vec![columns], &raw)),
            ],
            None,
        );
        let file = file.unwrap();
        let product = Product::new(&Weights::new(&file).unwrap(), "p", [rows, columns]).unwrap();
        // Each row has a nought of its own.
        let states: Vec<f32> = (0..length * rows).map(|at| any(at + 7) + 0.05 * (at / rows) as f32).collect();
        let mut sums = vec![1.0; length * columns];
        product.add(&states, &mut Room::default(), &mut sums);
        // Numbers were rounded to steps of some 0.008, where a processor takes them wide, and 64 of them times weights of
        // up to 7 added up.
        let most = 0.5 * WIDE / KERNELS.with(|kernels| kernels.steps);
        for (at, sum) in sums.iter().enumerate() {
            let (row, column) = (&states[at / columns * rows..][..rows], at % columns);
            let weight =
                |from: usize| f32::from(bytes[from * columns + column].cast_signed()) * scales[column];
            let exact: f32 = (0..rows).map(|from| row[from] * weight(from)).sum();
            let expected = 1.0 + exact + scales[column];
            assert!((sum - expected).abs() < most, "{at}: {sum}, not {expected}");
        }
    }

    /// Numbers as they come back from bytes, with what a step of their row is worth.
    fn there_and_back(states: &[f32], width: usize, steps: f32) -> Vec<(f32, f32)> {
        let mut rows = Rows::default();
        rows.take(states, width, steps);
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
