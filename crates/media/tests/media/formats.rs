use guardengine_media::audio::{RATE, decode};

/// The same sentence in every format, written by `fixtures/make`.
const FILES: [&str; 9] =
    ["wav", "mp3", "flac", "vorbis.ogg", "opus.ogg", "opus.webm", "m4a", "stereo.mp3", "8khz.wav"];

fn fixture(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/fixtures/said.{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|_| panic!("{path}"))
}

/// Returns the loudness of each twentieth of a second.
fn envelope(samples: &[i16]) -> Vec<f32> {
    let loudness = |chunk: &[i16]| chunk.iter().map(|sample| f32::from(sample.unsigned_abs())).sum::<f32>();
    samples.chunks(RATE as usize / 20).map(loudness).collect()
}

/// Returns the cosine similarity of two envelopes, of which the second may start slightly later. 1 for equal envelopes.
fn similarity(one: &[f32], other: &[f32]) -> f32 {
    let at = |shift: usize| {
        let pairs = || one.iter().zip(&other[shift..]);
        let dot: f32 = pairs().map(|(a, b)| a * b).sum();
        let (a, b): (f32, f32) = pairs().fold((0.0, 0.0), |(a, b), (x, y)| (a + x * x, b + y * y));
        dot / (a.sqrt() * b.sqrt()).max(1.0)
    };
    (0..=2).map(at).fold(0.0, f32::max)
}

#[test]
fn decodes_every_format_to_the_same_sound() {
    let plain = decode(&fixture("wav"), 10).unwrap();
    for name in FILES {
        let decoded = decode(&fixture(name), 10).unwrap_or_else(|error| panic!("{name}: {error}"));
        let difference = (decoded.len() as f32 - plain.len() as f32).abs() / RATE as f32;
        assert!(difference < 0.15, "{name} differs by {difference} s");
        let similarity = similarity(&envelope(&plain), &envelope(&decoded));
        assert!(similarity > 0.97, "{name}: {similarity}");
    }
}

#[test]
fn decodes_truncated_files_up_to_their_end_or_rejects_them() {
    for name in FILES {
        let whole = fixture(name);
        for share in [1, 3, 6, 9] {
            let decoded = decode(&whole[..whole.len() * share / 10], 10);
            assert!(decoded.as_ref().map_or(true, |samples| samples.len() <= RATE as usize * 10), "{name}");
        }
    }
}
