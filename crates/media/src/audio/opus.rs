//! Opus packets, which the other decoders leave to us.

use opus_decoder::OpusDecoder;

use super::{RATE, Unreadable};

/// A decoder to mono at 16 kHz.
pub struct Opus {
    decoder: OpusDecoder,
    channels: usize,
    samples: Vec<f32>,
}

impl Opus {
    /// For packets of so many channels.
    pub fn new(channels: usize) -> Result<Self, Unreadable> {
        let refused = |_| Unreadable("Opus with more than two channels is not accepted".to_owned());
        let decoder = OpusDecoder::new(RATE, channels).map_err(refused)?;
        let samples = vec![0.0; decoder.max_frame_size_per_channel() * channels];
        Ok(Self { decoder, channels, samples })
    }

    /// How many channels its samples have.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// The samples of a packet, channels interleaved; `None` where it is damaged.
    pub fn decode(&mut self, packet: &[u8]) -> Option<&[f32]> {
        let frames = self.decoder.decode_float(packet, &mut self.samples, false).ok()?;
        Some(&self.samples[..frames * self.channels])
    }
}
