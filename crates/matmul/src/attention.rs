//! Attention of states to each other.

use rten_gemm::{GemmInputB, GemmOptions};
use rten_simd::SimdOp as _;
use rten_tensor::NdTensorView;
use rten_vecmath::Softmax;

use crate::{at_least, multiply};

/// Buffers of the attention, kept from one layer to the next.
#[derive(Default)]
pub struct AttentionScratch {
    weights: Vec<f32>,
    head: Vec<f32>,
}

/// Writes softmax(Q·Kᵀ / √d)·V of each head, beside each other, to `mixed` (A. Vaswani et al., "Attention is all you need",
/// <https://arxiv.org/abs/1706.03762>). `projected` has query, key and value of each state, of `width` numbers each;
/// `depth` of them are those of a head.
pub fn attend(
    projected: &[f32],
    [width, depth]: [usize; 2],
    scratch: &mut AttentionScratch,
    mixed: &mut [f32],
) {
    let count = projected.len() / (3 * width);
    let projected = NdTensorView::from_data([count, 3 * width], projected);
    let weights = at_least(&mut scratch.weights, count * count);
    let head = at_least(&mut scratch.head, count * depth);
    for from in (0..width).step_by(depth) {
        let part = |first: usize| projected.slice((.., first..first + depth));
        let keys = part(width + from);
        let options = GemmOptions { alpha: (depth as f32).sqrt().recip(), ..GemmOptions::default() };
        multiply(part(from), GemmInputB::Unpacked(keys.transposed()), options, weights);
        for row in weights.chunks_exact_mut(count) {
            Softmax::new_mut(row).dispatch();
        }
        let values = GemmInputB::Unpacked(part(2 * width + from));
        let weights = NdTensorView::from_data([count, count], &*weights);
        multiply(weights, values, GemmOptions::default(), head);
        for (state, head) in mixed.chunks_exact_mut(width).zip(head.chunks_exact(depth)) {
            state[from..from + depth].copy_from_slice(head);
        }
    }
}
