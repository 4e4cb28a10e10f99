use super::*;

/// Half a second of two tones, 440 Hz and 2500 Hz.
fn tones() -> Vec<i16> {
    let angle = |at: usize, hertz: f64| (2.0 * PI * hertz * at as f64 / f64::from(RATE)).sin();
    (0..8000).map(|at| (8000.0 * angle(at, 440.0) + 4000.0 * angle(at, 2500.0)).round() as i16).collect()
}

/// Bands whose numbers are known.
const BANDS: [usize; 8] = [0, 10, 11, 12, 30, 45, 46, 79];

/// Frame and numbers that `FeatureExtractor` of faster-whisper 1.2.1 has for the tones, followed by silence.
const KNOWN: [(usize, [f32; 8]); 6] = [
    (0, [0.8443, 1.1837, 0.9539, 1.1791, 0.2178, 0.514, 0.5727, 0.0684]),
    (1, [0.3324, 1.1946, 1.28, 1.1418, -0.2399, 0.0074, 0.0666, -0.4417]),
    (25, [-0.7175, 1.1931, 1.2825, 1.1379, -0.7175, -0.6094, -0.4499, -0.7175]),
    (49, [0.182, 1.1939, 1.2813, 1.1398, -0.3906, -0.1535, -0.0942, -0.5923]),
    (50, [0.6937, 1.1132, 1.1372, 1.0852, 0.0673, 0.3635, 0.4222, -0.0821]),
    (60, [-0.7175; 8]),
];

#[test]
fn has_the_numbers_of_another_implementation() {
    let found = Spectrogram::new(80).of(&tones(), 100);
    assert_eq!(found.len(), 100 * 80);
    for (frame, known) in KNOWN {
        for (band, known) in BANDS.iter().zip(known) {
            let found = found[frame * 80 + band];
            assert!((found - known).abs() < 0.002, "frame {frame}, band {band}: {found}, not {known}");
        }
    }
}

#[test]
fn has_the_shares_of_another_implementation() {
    let bands = bands(80);
    for (band, frequency, known) in
        [(0, 1, 0.024863), (10, 10, 0.019908), (10, 11, 0.004954), (40, 43, 0.014736), (79, 188, 0.001299)]
    {
        let found = bands[band * FREQUENCIES + frequency];
        assert!((found - known).abs() < 1e-6, "band {band}, frequency {frequency}: {found}, not {known}");
    }
    let sum: f32 = bands[40 * FREQUENCIES..41 * FREQUENCIES].iter().sum();
    assert!((sum - 0.026665).abs() < 1e-6, "{sum}");
}

#[test]
fn silence_and_nothing_are_the_same() {
    let spectrogram = Spectrogram::new(80);
    let silence = spectrogram.of(&vec![0; 16_000], 200);
    assert_eq!(silence, spectrogram.of(&[], 200));
    assert_eq!(silence, vec![FLOOR.log10() / 4.0 + 1.0; 200 * 80]);
}

// Memory is bounded by blocks of frames, which must not show.
#[test]
fn a_long_tone_is_the_same_in_each_block() {
    let hertz = 500.0;
    let tone = |at: usize| (8000.0 * (2.0 * PI * hertz * at as f64 / f64::from(RATE)).sin()).round() as i16;
    let found = Spectrogram::new(80).of(&(0..160_000).map(tone).collect::<Vec<_>>(), 1000);
    let frame = |at: usize| &found[at * 80..(at + 1) * 80];
    for at in [BLOCK - 1, BLOCK, 2 * BLOCK, 3 * BLOCK] {
        assert!(frame(at).iter().zip(frame(100)).all(|(one, other)| (one - other).abs() < 1e-3), "{at}");
    }
}
