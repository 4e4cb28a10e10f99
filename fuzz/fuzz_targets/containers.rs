//! Any bytes are an image, a page or audio within the limits, or a clear error.
#![no_main]

use guardengine_media::{
    audio,
    image::{self, Limits},
};
use libfuzzer_sys::fuzz_target;

const MAX_SECONDS: u32 = 60;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { pixels: 4_000_000 };
    if let Ok(redacted) = image::redact(bytes, &[], limits) {
        assert!(image::redact(&redacted, &[], limits).is_ok(), "a redacted image is an image");
    }
    if let Ok(samples) = audio::decode(bytes, MAX_SECONDS) {
        let seconds = samples.len() as f32 / audio::RATE as f32;
        assert!(seconds <= MAX_SECONDS as f32 + 1.0);
    }
});
