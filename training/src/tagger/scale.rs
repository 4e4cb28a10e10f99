//! Real weights as signed bytes.

use guardengine_engine::pii::tagger::weights::Weights;

use super::fit::Values;

/// Share of the weights that may be cut off at a signed byte's end.
const WILDEST: usize = 20_000;

/// The file of `model`, its probabilities sharpened or dulled.
pub fn quantized(model: &[Values], sharpness: f32) -> Vec<u8> {
    let mut sizes: Vec<f32> = model.iter().flatten().map(|weight| weight.abs()).collect();
    sizes.sort_unstable_by(f32::total_cmp);
    let unit = (sizes[sizes.len() - 1 - sizes.len() / WILDEST] / 127.0).max(f32::MIN_POSITIVE);
    let byte = |weight: f32| (weight / unit).round().clamp(-127.0, 127.0) as i8;
    let rows: Vec<_> = model.iter().map(|row| row.map(byte)).collect();
    Weights::to_file(unit * sharpness, &rows)
}
