//! Any rate to 16 kHz, band-limited.

use rubato::{Fft, FixedSync, Resampler as _, audioadapter_buffers::direct::InterleavedSlice};

use super::{RATE, Unreadable};

/// Rates of recordings of speech and music, samples a second.
const RATES: std::ops::RangeInclusive<u32> = 4_000..=192_000;
const CHUNK: usize = 1024;

/// Refuses a rate that no recorder has.
pub fn admit(rate: u32) -> Result<(), Unreadable> {
    let refused = || Unreadable(format!("the recording has {rate} samples a second, which is not accepted"));
    if RATES.contains(&rate) { Ok(()) } else { Err(refused()) }
}

/// Samples of `rate`, 16 bits each.
pub fn to_16_khz(samples: &[f32], rate: u32) -> Result<Vec<i16>, Unreadable> {
    if rate == RATE || samples.is_empty() {
        return Ok(samples.iter().copied().map(integer).collect());
    }
    let refused = || Unreadable("the recording cannot be resampled".to_owned());
    let mut resampler =
        Fft::<f32>::new(rate as usize, RATE as usize, CHUNK, 1, FixedSync::Input).map_err(|_| refused())?;
    let input = InterleavedSlice::new(samples, 1, samples.len()).map_err(|_| refused())?;
    let output = resampler.process_all(&input, samples.len(), None).map_err(|_| refused())?;
    Ok(output.take_data().into_iter().map(integer).collect())
}

fn integer(sample: f32) -> i16 {
    (sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)) as i16
}
