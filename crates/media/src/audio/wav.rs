//! WAV: RIFF with linear PCM of 16 bits (Multimedia Programming Interface and Data Specifications 1.0, 1991).

use super::RATE;

const HEADER: u32 = 36;
const BYTES: u16 = 2;

/// A file of one channel.
pub fn file(samples: &[i16]) -> Vec<u8> {
    let length = samples.len() as u32 * u32::from(BYTES);
    let mut file = Vec::with_capacity((HEADER + 8 + length) as usize);
    let (pcm, channels) = (1u16, 1u16);
    file.extend(b"RIFF");
    file.extend((HEADER + length).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16u32.to_le_bytes());
    file.extend(pcm.to_le_bytes());
    file.extend(channels.to_le_bytes());
    file.extend(RATE.to_le_bytes());
    file.extend((RATE * u32::from(BYTES)).to_le_bytes());
    file.extend(BYTES.to_le_bytes());
    file.extend((BYTES * 8).to_le_bytes());
    file.extend(b"data");
    file.extend(length.to_le_bytes());
    file.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    file
}
