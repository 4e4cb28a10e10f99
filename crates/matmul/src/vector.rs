//! Products of one state with weights in eight bits. A model that writes a text word by word has one state at a time, and
//! reads all its weights for it: they stay as they are, in rows of inputs, instead of packed for products of many states.

use rten_gemm::{GemmInputA, GemmInputB, GemmOptions};
use rten_tensor::NdTensorView;

use crate::{KERNELS, ProductScratch, SHAPES_FIT, at_least};

/// Greatest number of a weight in eight bits.
const GREATEST: f32 = 127.0;

/// Weights in eight bits, and a bias, for one state at a time.
pub struct Int8Vector {
    /// A row of weights for each output.
    weights: Vec<i8>,
    inputs: usize,
    /// The sum of each row's weights.
    sums: Vec<f32>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

/// Appends a row of weights in eight bits and returns its scale: the value of one step.
pub fn quantize(row: &[f32], to: &mut Vec<i8>) -> f32 {
    let greatest = row.iter().fold(0.0f32, |greatest, weight| greatest.max(weight.abs()));
    let scale = if greatest > 0.0 { greatest / GREATEST } else { 1.0 };
    to.extend(row.iter().map(|weight| (weight / scale).round() as i8));
    scale
}

impl Int8Vector {
    /// Weights of a row for each output, with a scale and a bias for each.
    pub fn new(weights: Vec<i8>, scales: Vec<f32>, bias: Vec<f32>) -> Self {
        let inputs = weights.len() / bias.len().max(1);
        let sum = |row: &[i8]| row.iter().map(|weight| i32::from(*weight)).sum::<i32>() as f32;
        let sums = weights.chunks_exact(inputs.max(1)).map(sum).collect();
        Self { weights, inputs, sums, scales, bias }
    }

    /// Numbers of the product.
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Writes the product of a state to `to`.
    pub fn set(&self, state: &[f32], scratch: &mut ProductScratch, to: &mut [f32]) {
        for (to, number) in to.iter_mut().zip(self.product(state, scratch)) {
            *to = number;
        }
    }

    /// Adds the product of a state to `to`.
    pub fn add(&self, state: &[f32], scratch: &mut ProductScratch, to: &mut [f32]) {
        for (to, number) in to.iter_mut().zip(self.product(state, scratch)) {
            *to += number;
        }
    }

    /// Adds the weights of one output to `to`.
    pub fn add_weights(&self, output: usize, to: &mut [f32]) {
        let row = &self.weights[output * self.inputs..][..self.inputs];
        for (to, weight) in to.iter_mut().zip(row) {
            *to += f32::from(*weight) * self.scales[output];
        }
    }

    fn product<'a>(
        &'a self,
        state: &[f32],
        scratch: &'a mut ProductScratch,
    ) -> impl Iterator<Item = f32> + 'a {
        let ProductScratch { rows, sums } = scratch;
        rows.set(state, self.inputs);
        let products = at_least(sums, self.outputs());
        let bytes = NdTensorView::from_data([1, self.inputs], rows.bytes.as_slice());
        let weights = NdTensorView::from_data([self.outputs(), self.inputs], self.weights.as_slice());
        let weights = GemmInputB::Unpacked(weights.transposed());
        let multiplied = KERNELS.with(|kernels| {
            kernels.bytes.gemm(products, GemmInputA::Unpacked(bytes), weights, GemmOptions::default())
        });
        multiplied.expect(SHAPES_FIT);
        let (zero, scale) = (rows.zeros[0], rows.scales[0]);
        let outputs = self.sums.iter().zip(&self.scales).zip(&self.bias);
        products
            .iter()
            .zip(outputs)
            .map(move |(product, ((all, step), bias))| (*product as f32 - zero * all) * (scale * step) + bias)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number between -1 and 1 for each place, without order.
    fn any(place: usize) -> f32 {
        (place as f32 * 78.233).sin()
    }

    #[test]
    fn a_product_with_one_state_is_nearly_that_of_the_numbers() {
        // Not a multiple of what a processor takes at once.
        let (inputs, outputs) = (515, 131);
        let exact: Vec<f32> = (0..inputs * outputs).map(any).collect();
        let (mut weights, mut scales) = (Vec::new(), Vec::new());
        for row in exact.chunks_exact(inputs) {
            scales.push(quantize(row, &mut weights));
        }
        let bias: Vec<f32> = (0..outputs).map(|at| at as f32).collect();
        let product = Int8Vector::new(weights, scales, bias.clone());
        let state: Vec<f32> = (0..inputs).map(|at| any(at + 11) + 0.3).collect();
        let (mut set, mut added) = (vec![9.0; outputs], vec![1.0; outputs]);
        product.set(&state, &mut ProductScratch::default(), &mut set);
        product.add(&state, &mut ProductScratch::default(), &mut added);
        for (at, row) in exact.chunks_exact(inputs).enumerate() {
            let expected: f32 =
                bias[at] + row.iter().zip(&state).map(|(one, other)| one * other).sum::<f32>();
            assert!((set[at] - expected).abs() < 0.6, "{at}: {}, not {expected}", set[at]);
            assert_eq!(added[at], set[at] + 1.0);
        }
    }

    #[test]
    fn weights_come_back_to_within_half_a_step() {
        let row = [0.5, -2.0, 0.01, 1.0, 0.0];
        let mut weights = Vec::new();
        let scales = vec![quantize(&[0.0; 5], &mut weights), quantize(&row, &mut weights)];
        let product = Int8Vector::new(weights, scales, vec![0.0; 2]);
        let (mut zeros, mut back) = ([0.0; 5], [1.0; 5]);
        product.add_weights(0, &mut zeros);
        product.add_weights(1, &mut back);
        assert_eq!(zeros, [0.0; 5]);
        assert!(back.iter().zip(row).all(|(back, row)| (back - 1.0 - row).abs() <= 2.0 / 127.0 / 2.0 + 1e-6));
    }
}
