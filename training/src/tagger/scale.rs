//! Quantization of weights to signed bytes.

use guardengine_engine::pii::tagger::weights::Weights;

use super::fit::{Model, Values};

/// One weight in this many may be clipped to the range of a signed byte.
const WILDEST: usize = 20_000;

/// Returns the file of `model`, its logits multiplied by `sharpness`.
pub fn quantized(model: &Model, sharpness: f32) -> Vec<u8> {
    let mut sizes: Vec<f32> = model.rows.iter().flatten().map(|weight| weight.abs()).collect();
    sizes.sort_unstable_by(f32::total_cmp);
    let unit = (sizes[sizes.len() - 1 - sizes.len() / WILDEST] / 127.0).max(f32::MIN_POSITIVE);
    let byte = |weight: f32| (weight / unit).round().clamp(-127.0, 127.0) as i8;
    let marked = |(row, owner): (&Values, &Option<u8>)| {
        let mut bytes = row.map(byte);
        bytes[0] = owner.unwrap_or_default() as i8;
        bytes
    };
    let rows: Vec<_> = model.rows.iter().zip(&model.owners).map(marked).collect();
    Weights::to_file(unit * sharpness, &rows)
}
