use std::time::Duration;

use guardengine_media::{
    audio::{RATE, decode, file},
    image::{ImageError, read, redact},
};
use guardengine_test_support::page::{PLAIN, png};

use crate::ocr::{LIMITS, engine};

/// Returns a small PNG whose header declares 30,000 × 30,000 pixels.
fn huge_png() -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend([30_000u32.to_be_bytes(), 30_000u32.to_be_bytes()].concat());
    header.extend([8, 0, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
    png.extend(&header);
    png.extend(crc(&header).to_be_bytes());
    png.extend(b"\0\0\0\0IDAT");
    png.extend(crc(b"IDAT").to_be_bytes());
    png
}

/// CRC-32 of PNG 1.2, annex D.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[test]
fn rejects_a_huge_image_by_its_header() {
    let expected = "the image has 30000 x 30000 pixels; at most 40000000 are accepted";
    assert_eq!(redact(&huge_png(), &[], LIMITS), Err(ImageError::Unreadable(expected.to_owned())));
}

#[test]
fn rejects_truncated_files_and_noise() {
    let whole = png(&PLAIN.draw(&["cut short"]));
    let noise: Vec<u8> = (0..20_000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let noise_png = [&b"\x89PNG\r\n\x1a\n"[..], &noise].concat();
    let noise_pdf = [&b"%PDF-1.7\n"[..], &noise].concat();
    for file in
        [&whole[..whole.len() / 2], &whole[..20], &noise[..], &noise_png[..], &noise_pdf[..], b"", b"%PDF-"]
    {
        let result = read(&mut engine(), None, file, LIMITS, Duration::from_secs(5));
        assert!(matches!(result, Err(ImageError::Unreadable(_))), "{result:?}");
    }
}

#[test]
fn rejects_long_audio_before_transcribing_it() {
    let hour = file(&vec![0; RATE as usize * 3600]);
    let error = decode(&hour, 600).unwrap_err().to_string();
    assert_eq!(error, "the audio is longer than 600 seconds");
}
