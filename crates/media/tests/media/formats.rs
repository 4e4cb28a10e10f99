use guardengine_media::audio::{RATE, decode};

/// The same sentence in every format; `fixtures/make` made them.
const FILES: [&str; 9] =
    ["wav", "mp3", "flac", "vorbis.ogg", "opus.ogg", "opus.webm", "m4a", "stereo.mp3", "8khz.wav"];

fn fixture(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/fixtures/said.{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|_| panic!("{path}"))
}

/// Loudness of each twentieth of a second: what a recording looks like from afar.
fn envelope(samples: &[i16]) -> Vec<f32> {
    let loudness = |chunk: &[i16]| chunk.iter().map(|sample| f32::from(sample.unsigned_abs())).sum::<f32>();
    samples.chunks(RATE as usize / 20).map(loudness).collect()
}

/// How alike two envelopes are, where the second may begin a little later: 1 for the same.
fn likeness(one: &[f32], other: &[f32]) -> f32 {
    let at = |shift: usize| {
        let pairs = || one.iter().zip(&other[shift..]);
        let dot: f32 = pairs().map(|(a, b)| a * b).sum();
        let (a, b): (f32, f32) = pairs().fold((0.0, 0.0), |(a, b), (x, y)| (a + x * x, b + y * y));
        dot / (a.sqrt() * b.sqrt()).max(1.0)
    };
    (0..=2).map(at).fold(0.0, f32::max)
}

#[test]
fn every_format_sounds_the_same() {
    let plain = decode(&fixture("wav"), 10).unwrap();
    for name in FILES {
        let read = decode(&fixture(name), 10).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let differ = (read.len() as f32 - plain.len() as f32).abs() / RATE as f32;
        assert!(differ < 0.15, "{name} differs by {differ} s");
        let likeness = likeness(&envelope(&plain), &envelope(&read));
        assert!(likeness > 0.97, "{name}: {likeness}");
    }
}

#[test]
fn what_is_cut_is_heard_as_far_as_it_goes_or_refused() {
    for name in FILES {
        let whole = fixture(name);
        for share in [1, 3, 6, 9] {
            let cut = decode(&whole[..whole.len() * share / 10], 10);
            assert!(cut.as_ref().map_or(true, |samples| samples.len() <= RATE as usize * 10), "{name}");
        }
    }
}
