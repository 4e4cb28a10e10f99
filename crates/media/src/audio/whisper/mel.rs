//! Spectrograms as Whisper reads them: the logarithm of the energy in bands that follow the ear's scale, in 100 frames a
//! second. Sources: `log_mel_spectrogram` in OpenAI's `whisper/audio.py`, and for the bands `filters.mel` of librosa
//! (M. Slaney, "Auditory Toolbox", Interval Research 1998-010).

use std::f64::consts::PI;

use guardengine_matmul::DenseLinear;
use rten_tensor::NdTensorView;

use super::super::RATE;

/// Samples that a frame reads (25 ms).
const WINDOW: usize = 400;
/// Samples from a frame to the next (10 ms).
pub const HOP: usize = RATE as usize / 100;
/// Frequencies of a frame.
const FREQUENCIES: usize = WINDOW / 2 + 1;
/// Frames at a time, which bounds memory.
const BLOCK: usize = 256;
/// Least energy, and how far the least may be below the greatest, as powers of ten.
const FLOOR: f32 = 1e-10;
const RANGE: f32 = 8.0;

/// Makes spectrograms.
pub struct Spectrogram {
    /// From samples to the real and imaginary parts of each frequency, with the window (Hann's).
    transform: DenseLinear,
    /// From energies to bands.
    bands: DenseLinear,
    mels: usize,
}

impl Spectrogram {
    /// A spectrogram of so many bands.
    pub fn new(mels: usize) -> Self {
        let transform = transform();
        let transform = NdTensorView::from_data([WINDOW, 2 * FREQUENCIES], transform.as_slice());
        let bands = bands(mels);
        let bands = NdTensorView::from_data([mels, FREQUENCIES], bands.as_slice());
        Self {
            transform: DenseLinear::new(transform, vec![0.0; 2 * FREQUENCIES]),
            bands: DenseLinear::new(bands.transposed(), vec![0.0; mels]),
            mels,
        }
    }

    /// Returns `frames` frames one after the other. Samples are followed by silence.
    pub fn of(&self, samples: &[i16], frames: usize) -> Vec<f32> {
        let padded = padded(samples);
        // Later frames contain silence alone.
        let audible = ((padded.len() - WINDOW) / HOP + 1).min(frames);
        let mut energies = Vec::with_capacity(frames * self.mels);
        for first in (0..audible).step_by(BLOCK) {
            let count = BLOCK.min(audible - first);
            let rows =
                NdTensorView::from_slice_with_strides([count, WINDOW], &padded[first * HOP..], [HOP, 1]);
            let spectrum = self.transform.of_rows(rows.expect("the last frame ends with the samples"));
            let power: Vec<f32> = spectrum.chunks_exact(2 * FREQUENCIES).flat_map(power).collect();
            energies.extend(self.bands.of(&power));
        }
        energies.resize(frames * self.mels, 0.0);
        to_logarithms(&mut energies);
        energies
    }
}

/// Returns the samples as numbers from -1 to 1, mirrored at the start, and followed by a frame of silence.
fn padded(samples: &[i16]) -> Vec<f32> {
    let number = |sample: &i16| f32::from(*sample) / 32768.0;
    let mirrored = (1..=WINDOW / 2).rev().map(|at| samples.get(at).map_or(0.0, number));
    let silence = std::iter::repeat_n(0.0, WINDOW);
    mirrored.chain(samples.iter().map(number)).chain(silence).collect()
}

fn power(spectrum: &[f32]) -> impl Iterator<Item = f32> {
    let (real, imaginary) = spectrum.split_at(FREQUENCIES);
    real.iter().zip(imaginary).map(|(real, imaginary)| real * real + imaginary * imaginary)
}

fn to_logarithms(energies: &mut [f32]) {
    for energy in energies.iter_mut() {
        *energy = energy.max(FLOOR).log10();
    }
    let least = energies.iter().copied().fold(f32::NEG_INFINITY, f32::max) - RANGE;
    for energy in energies {
        *energy = energy.max(least) / 4.0 + 1.0;
    }
}

/// Returns the discrete Fourier transform of a window: a row for each sample.
fn transform() -> Vec<f32> {
    let turn = 2.0 * PI / WINDOW as f64;
    let mut rows = Vec::with_capacity(WINDOW * 2 * FREQUENCIES);
    for sample in 0..WINDOW {
        let window = 0.5 - 0.5 * (turn * sample as f64).cos();
        // The product modulo the window keeps the angle small and exact.
        let angle = |frequency: usize| turn * (sample * frequency % WINDOW) as f64;
        rows.extend((0..FREQUENCIES).map(|frequency| (window * angle(frequency).cos()) as f32));
        rows.extend((0..FREQUENCIES).map(|frequency| (-window * angle(frequency).sin()) as f32));
    }
    rows
}

/// Returns the share of each frequency in each band: triangles of equal area, whose corners are equally far apart.
fn bands(mels: usize) -> Vec<f32> {
    let top = to_mel(f64::from(RATE) / 2.0);
    let corner = |at: usize| to_hertz(top * at as f64 / (mels + 1) as f64);
    let mut shares = Vec::with_capacity(mels * FREQUENCIES);
    for band in 0..mels {
        let [low, middle, high] = [corner(band), corner(band + 1), corner(band + 2)];
        let share = |frequency: usize| {
            let hertz = frequency as f64 * f64::from(RATE) / WINDOW as f64;
            let (up, down) = ((hertz - low) / (middle - low), (high - hertz) / (high - middle));
            (up.min(down).max(0.0) * 2.0 / (high - low)) as f32
        };
        shares.extend((0..FREQUENCIES).map(share));
    }
    shares
}

/// Slaney's scale: linear up to 1000 Hz, then logarithmic.
const BEND: f64 = 1000.0;
const HERTZ_PER_MEL: f64 = 200.0 / 3.0;
/// Logarithm of the ratio from one step to the next above the bend: 27 steps for a factor of 6.4.
fn step() -> f64 {
    6.4f64.ln() / 27.0
}

fn to_mel(hertz: f64) -> f64 {
    if hertz < BEND { hertz / HERTZ_PER_MEL } else { BEND / HERTZ_PER_MEL + (hertz / BEND).ln() / step() }
}

fn to_hertz(mel: f64) -> f64 {
    let bend = BEND / HERTZ_PER_MEL;
    if mel < bend { mel * HERTZ_PER_MEL } else { BEND * ((mel - bend) * step()).exp() }
}

#[cfg(test)]
mod tests;
