use std::time::Duration;

use guardengine_media::{
    audio::{Audio, RATE, decode, file},
    image::{Detectors, ImageError, read, redact},
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
        let result = read(&mut engine(), Detectors::default(), file, LIMITS, Duration::from_secs(5));
        assert!(matches!(result, Err(ImageError::Unreadable(_))), "{result:?}");
    }
}

/// Returns so many seconds of silence as FLAC (RFC 9639) of 8 kHz, mono and 16 bits: 15 bytes for each eight seconds.
fn silent_flac(seconds: u32) -> Vec<u8> {
    const BLOCK: u16 = u16::MAX;
    let mut file = b"fLaC\x80\0\0\x22".to_vec();
    file.extend([BLOCK.to_be_bytes(), BLOCK.to_be_bytes()].concat());
    // Frame sizes that are unknown, 8 kHz, one channel, 16 bits, an unknown length and no digest.
    file.extend([0, 0, 0, 0, 0, 0, 0x01, 0xf4, 0x00, 0xf0]);
    file.extend([0; 20]);
    for frame in 0..=seconds * 8_000 / u32::from(BLOCK) {
        let mut bytes = vec![0xff, 0xf8, 0x74, 0x08];
        // The number of the frame, coded as UTF-8 codes characters.
        bytes.extend(char::from_u32(frame).unwrap().to_string().bytes());
        bytes.extend((BLOCK - 1).to_be_bytes());
        bytes.push(checksum(&bytes, 0x07, 8) as u8);
        // A constant subframe of zeros.
        bytes.extend([0, 0, 0]);
        bytes.extend(checksum(&bytes, 0x8005, 16).to_be_bytes());
        file.extend(bytes);
    }
    file
}

/// CRC of RFC 9639 with that polynomial and width.
fn checksum(bytes: &[u8], polynomial: u32, width: u32) -> u16 {
    let (top, mask) = (1 << (width - 1), (1 << width) - 1);
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ (u32::from(*byte) << (width - 8)), |crc: u32, _| {
            (if crc & top == 0 { crc << 1 } else { (crc << 1) ^ polynomial }) & mask
        })
    };
    bytes.iter().fold(0, step) as u16
}

#[test]
fn ten_hours_of_silence_in_a_small_file_are_refused() {
    let minute = Audio::open(silent_flac(60), 600).unwrap();
    assert!((60.0..70.0).contains(&minute.duration()), "{}", minute.duration());
    let file = silent_flac(36_000);
    assert!(file.len() < 100_000);
    let error = Audio::open(file, 7_200).unwrap_err().to_string();
    assert_eq!(error, "the audio is longer than 7200 seconds");
}

#[test]
fn rejects_long_audio_before_transcribing_it() {
    let hour = file(&vec![0; RATE as usize * 3600]);
    let error = decode(&hour, 600).unwrap_err().to_string();
    assert_eq!(error, "the audio is longer than 600 seconds");
}
