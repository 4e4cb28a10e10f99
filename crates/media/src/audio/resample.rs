//! Resampling to 16 kHz, chunk by chunk.

use rubato::{Fft, FixedSync, Indexing, Resampler as _, audioadapter_buffers::direct::InterleavedSlice};

use super::{RATE, Unreadable};

/// Accepted sample rates in Hz.
const RATES: std::ops::RangeInclusive<u32> = 4_000..=192_000;
const CHUNK: usize = 1024;

/// Converts samples of one channel to 16 kHz and 16 bits.
pub enum Resampler {
    /// The samples have 16 kHz already.
    Same,
    /// Converts between rates.
    Fft(Box<Converter>),
}

/// A converter between two rates, with the samples that do not fill a chunk yet.
pub struct Converter {
    fft: Fft<f32>,
    pending: Vec<f32>,
    output: Vec<f32>,
    /// Samples at the start that are the delay of the converter.
    delay: usize,
    read: usize,
    written: usize,
}

impl Resampler {
    /// Creates a resampler from `rate` Hz. Rejects unsupported rates.
    pub fn from_rate(rate: u32) -> Result<Self, Unreadable> {
        if !RATES.contains(&rate) {
            return Err(Unreadable(format!("the sample rate of {rate} Hz is not supported")));
        }
        if rate == RATE {
            return Ok(Self::Same);
        }
        let fft = Fft::<f32>::new(rate as usize, RATE as usize, CHUNK, 1, FixedSync::Input);
        let fft = fft.map_err(|_| failed())?;
        let (delay, output) = (fft.output_delay(), vec![0.0; fft.output_frames_max()]);
        let converter = Converter { fft, pending: Vec::new(), output, delay, read: 0, written: 0 };
        Ok(Self::Fft(Box::new(converter)))
    }

    /// Appends `samples` converted to `output`, as far as they fill chunks.
    pub fn push(&mut self, samples: &[f32], output: &mut Vec<i16>) -> Result<(), Unreadable> {
        match self {
            Self::Same => output.extend(samples.iter().copied().map(to_integer)),
            Self::Fft(converter) => converter.push(samples, output)?,
        }
        Ok(())
    }

    /// Appends the rest to `output`.
    pub fn finish(&mut self, output: &mut Vec<i16>) -> Result<(), Unreadable> {
        match self {
            Self::Same => Ok(()),
            Self::Fft(converter) => converter.finish(output),
        }
    }
}

impl Converter {
    fn push(&mut self, samples: &[f32], output: &mut Vec<i16>) -> Result<(), Unreadable> {
        self.read += samples.len();
        self.pending.extend_from_slice(samples);
        let mut start = 0;
        while self.pending.len() - start >= self.fft.input_frames_next() {
            let chunk = self.fft.input_frames_next();
            self.convert(start..start + chunk, usize::MAX, output)?;
            start += chunk;
        }
        self.pending.drain(..start);
        Ok(())
    }

    /// Converts what is pending, then silence until the output is as long as the input.
    fn finish(&mut self, output: &mut Vec<i16>) -> Result<(), Unreadable> {
        let expected = (self.fft.resample_ratio() * self.read as f64).ceil() as usize;
        let mut rest = 0..self.pending.len();
        while self.written < expected {
            self.convert(rest, expected, output)?;
            rest = 0..0;
        }
        Ok(())
    }

    /// Converts a range of the pending samples; one that does not fill a chunk is continued with silence. The output ends
    /// at `most` samples.
    fn convert(
        &mut self,
        range: std::ops::Range<usize>,
        most: usize,
        output: &mut Vec<i16>,
    ) -> Result<(), Unreadable> {
        let input = &self.pending[range];
        let partial_len = (input.len() < self.fft.input_frames_next()).then_some(input.len());
        let indexing =
            Indexing { input_offset: 0, output_offset: 0, active_channels_mask: None, partial_len };
        let capacity = self.output.len();
        let input = InterleavedSlice::new(input, 1, input.len()).map_err(|_| failed())?;
        let mut converted = InterleavedSlice::new_mut(&mut self.output, 1, capacity).map_err(|_| failed())?;
        let done = self.fft.process_into_buffer(&input, &mut converted, Some(&indexing));
        let (_, length) = done.map_err(|_| failed())?;
        let skipped = self.delay.min(length);
        self.delay -= skipped;
        let kept = (length - skipped).min(most.saturating_sub(self.written));
        self.written += kept;
        output.extend(self.output[skipped..skipped + kept].iter().copied().map(to_integer));
        Ok(())
    }
}

fn failed() -> Unreadable {
    Unreadable("the audio cannot be resampled".to_owned())
}

fn to_integer(sample: f32) -> i16 {
    // The scale of decoders. The cast saturates.
    (sample * 32_768.0) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(rate: u32, chunks: &[usize]) -> Vec<i16> {
        let mut resampler = Resampler::from_rate(rate).unwrap();
        let (mut output, mut at) = (Vec::new(), 0);
        for length in chunks {
            let tone = |at: usize| (at as f32 * 440.0 * std::f32::consts::TAU / rate as f32).sin() * 0.5;
            let samples: Vec<f32> = (at..at + length).map(tone).collect();
            at += length;
            resampler.push(&samples, &mut output).unwrap();
        }
        resampler.finish(&mut output).unwrap();
        output
    }

    #[test]
    fn chunks_do_not_change_the_output() {
        let whole = converted(44_100, &[44_100]);
        assert_eq!(whole.len(), 16_000);
        assert_eq!(converted(44_100, &[1, 7, 1024, 40_000, 3068]), whole);
        assert_eq!(converted(44_100, &[100]).len(), 37);
        assert!(converted(48_000, &[]).is_empty());
    }

    #[test]
    fn a_tone_keeps_its_time_and_loudness() {
        for rate in [8_000, 16_000, 44_100, 48_000, 96_000] {
            let tone = converted(rate, &[rate as usize; 2]);
            assert_eq!(tone.len(), 32_000, "{rate}");
            let expected =
                |at: usize| (at as f32 * 440.0 * std::f32::consts::TAU / 16_000.0).sin() * 16_383.0;
            // At the ends the tone begins and ends abruptly.
            let off =
                (2_000..30_000).map(|at| (f32::from(tone[at]) - expected(at)).abs()).fold(0.0, f32::max);
            // The delay is a whole number of samples, so the tone may be off by half of one.
            assert!(off < 1_500.0, "{rate}: {off}");
        }
    }

    #[test]
    fn unsupported_rates_are_rejected() {
        assert!(Resampler::from_rate(3_999).is_err() && Resampler::from_rate(192_001).is_err());
    }
}
