//! Opus decoder, which the audio library lacks.

use opus_decoder::OpusDecoder;

use super::{RATE, Unreadable};

/// A decoder to 16 kHz.
pub struct Opus {
    decoder: OpusDecoder,
    channels: usize,
    samples: Vec<f32>,
}

impl Opus {
    /// Creates a decoder for packets with this number of channels.
    pub fn new(channels: usize) -> Result<Self, Unreadable> {
        let unsupported = |_| Unreadable("Opus with more than two channels is not supported".to_owned());
        let decoder = OpusDecoder::new(RATE, channels).map_err(unsupported)?;
        let samples = vec![0.0; decoder.max_frame_size_per_channel() * channels];
        Ok(Self { decoder, channels, samples })
    }

    /// Returns the number of channels.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// Decodes a packet to samples with interleaved channels. Returns `None` if it is damaged.
    pub fn decode(&mut self, packet: &[u8]) -> Option<&[f32]> {
        let frames = self.decoder.decode_float(packet, &mut self.samples, false).ok()?;
        Some(&self.samples[..frames * self.channels])
    }
}
