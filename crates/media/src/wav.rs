//! WAV files: RIFF with 16-bit linear PCM (Multimedia Programming Interface and Data Specifications 1.0, 1991).

/// Sample rate after decoding, in Hz.
pub const RATE: u32 = 16_000;
/// Bytes of the headers before the samples.
pub const HEADER_BYTES: usize = 44;
/// Bytes of a sample.
pub const SAMPLE_BYTES: u16 = 2;

/// Returns the headers of a mono WAV file of 16 kHz with so many samples.
pub fn header(samples: u32) -> Vec<u8> {
    let length = samples.saturating_mul(u32::from(SAMPLE_BYTES));
    let (pcm, channels) = (1u16, 1u16);
    let mut header = Vec::with_capacity(HEADER_BYTES);
    header.extend(b"RIFF");
    // The length field counts what follows it.
    header.extend((HEADER_BYTES as u32 - 8).saturating_add(length).to_le_bytes());
    header.extend(b"WAVEfmt ");
    header.extend(16u32.to_le_bytes());
    header.extend(pcm.to_le_bytes());
    header.extend(channels.to_le_bytes());
    header.extend(RATE.to_le_bytes());
    header.extend((RATE * u32::from(SAMPLE_BYTES)).to_le_bytes());
    header.extend(SAMPLE_BYTES.to_le_bytes());
    header.extend((SAMPLE_BYTES * 8).to_le_bytes());
    header.extend(b"data");
    header.extend(length.to_le_bytes());
    header
}

/// Returns the samples as a mono WAV file of 16 kHz.
#[cfg(feature = "engines")]
pub fn file(samples: &[i16]) -> Vec<u8> {
    let mut file = header(samples.len() as u32);
    file.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    file
}
