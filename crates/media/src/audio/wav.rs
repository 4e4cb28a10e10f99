//! WAV files: RIFF with 16-bit linear PCM (Multimedia Programming Interface and Data Specifications 1.0, 1991).

use super::RATE;

/// Bytes between the RIFF length field and the samples, including the headers.
const HEADER_BYTES: u32 = 36;
const BYTES_PER_SAMPLE: u16 = 2;

/// Returns the samples as a mono WAV file of 16 kHz.
pub fn file(samples: &[i16]) -> Vec<u8> {
    let length = samples.len() as u32 * u32::from(BYTES_PER_SAMPLE);
    let mut file = Vec::with_capacity((HEADER_BYTES + 8 + length) as usize);
    let (pcm, channels) = (1u16, 1u16);
    file.extend(b"RIFF");
    file.extend((HEADER_BYTES + length).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16u32.to_le_bytes());
    file.extend(pcm.to_le_bytes());
    file.extend(channels.to_le_bytes());
    file.extend(RATE.to_le_bytes());
    file.extend((RATE * u32::from(BYTES_PER_SAMPLE)).to_le_bytes());
    file.extend(BYTES_PER_SAMPLE.to_le_bytes());
    file.extend((BYTES_PER_SAMPLE * 8).to_le_bytes());
    file.extend(b"data");
    file.extend(length.to_le_bytes());
    file.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    file
}
