//! Resampling to 16 kHz.

use rubato::{Fft, FixedSync, Resampler as _, audioadapter_buffers::direct::InterleavedSlice};

use super::{RATE, Unreadable};

/// Accepted sample rates in Hz.
const RATES: std::ops::RangeInclusive<u32> = 4_000..=192_000;
const CHUNK: usize = 1024;

/// Rejects unsupported sample rates.
pub fn check_rate(rate: u32) -> Result<(), Unreadable> {
    let unsupported = || Unreadable(format!("the sample rate of {rate} Hz is not supported"));
    if RATES.contains(&rate) { Ok(()) } else { Err(unsupported()) }
}

/// Converts samples of `rate` Hz to 16 kHz and 16 bits.
pub fn to_16_khz(samples: &[f32], rate: u32) -> Result<Vec<i16>, Unreadable> {
    if rate == RATE || samples.is_empty() {
        return Ok(samples.iter().copied().map(to_integer).collect());
    }
    let failed = || Unreadable("the audio cannot be resampled".to_owned());
    let mut resampler =
        Fft::<f32>::new(rate as usize, RATE as usize, CHUNK, 1, FixedSync::Input).map_err(|_| failed())?;
    let input = InterleavedSlice::new(samples, 1, samples.len()).map_err(|_| failed())?;
    let output = resampler.process_all(&input, samples.len(), None).map_err(|_| failed())?;
    Ok(output.take_data().into_iter().map(to_integer).collect())
}

fn to_integer(sample: f32) -> i16 {
    (sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)) as i16
}
