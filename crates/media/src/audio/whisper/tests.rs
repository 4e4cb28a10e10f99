use guardengine_test_support::models;

use super::*;

const NOT_A_MODEL: &str = "model.bin is not a Whisper model of CTranslate2";

#[test]
fn the_encoder_reads_as_much_as_a_stretch_is_long_and_a_little_more() {
    let second = RATE as usize;
    let counts = [0, 1, second, 4 * second, 20 * second, 30 * second].map(states);
    assert_eq!(counts, [128, 192, 192, 384, 1152, 1500]);
}

#[test]
fn names_models_that_are_missing_or_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let error = |folder: &Path| Whisper::load(folder).err();
    assert_eq!(error(folder.path()), Some(Missing::Models("speech".to_owned())));
    std::fs::create_dir(folder.path().join("speech")).unwrap();
    std::fs::write(folder.path().join("speech/model.bin"), b"hello").unwrap();
    assert_eq!(error(folder.path()), Some(Missing::ModelFile(format!("speech/{NOT_A_MODEL}"))));
}

/// Places of a state whose numbers are known.
const PLACES: [usize; 5] = [0, 1, 100, 300, 511];

/// State and numbers that CTranslate2 4.8.5 has with weights of 32 bits for `said.wav`, followed by silence up to thirty
/// seconds.
const KNOWN: [(usize, [f32; 5]); 4] = [
    (0, [-2.1668, -0.1248, -0.3224, -0.8322, 0.5149]),
    (30, [-1.4936, 0.4007, 0.3404, -0.3427, -0.2245]),
    (80, [-0.1159, -0.004, 1.4231, -0.214, 0.5474]),
    (1000, [1.2222, -0.5277, 0.6355, -0.3284, 0.1124]),
];

#[test]
fn the_encoder_is_near_another_implementation_with_32_bits() {
    let Some(models) = models::folder() else { return };
    let model = Whisper::load(&models).unwrap();
    let file = format!("{}/tests/fixtures/said.wav", env!("CARGO_MANIFEST_DIR"));
    let samples = crate::audio::decode(&std::fs::read(file).unwrap(), 10).unwrap();
    let states = model.encoder.run(&model.spectrogram.of(&samples, AUDIO_POSITIONS * FRAMES_PER_STATE));
    let width = states.len() / AUDIO_POSITIONS;
    let (mut sum, mut greatest) = (0.0, 0.0f32);
    for (state, known) in KNOWN {
        for (place, known) in PLACES.iter().zip(known) {
            let difference = (states[state * width + place] - known).abs();
            (sum, greatest) = (sum + difference, greatest.max(difference));
        }
    }
    let mean = sum / (KNOWN.len() * PLACES.len()) as f32;
    // Numbers of a state are about 1.
    assert!(mean < 0.05 && greatest < 0.2, "mean {mean}, greatest {greatest}");
}
