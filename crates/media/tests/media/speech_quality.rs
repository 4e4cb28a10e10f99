//! Measurements of `docs/how-to/read-images-and-audio.md`: `make bench-media`.

use guardengine_media::audio::{RATE, decode};
use guardengine_test_support::{
    transcript_score::{SENTENCES, VOICES, compared, words},
    voice::said,
};

use crate::speech::{model, noise, transcribe};

type Change = fn(&[i16]) -> Vec<i16>;

const CONDITIONS: [(&str, Change); 4] = [
    ("clear", <[i16]>::to_vec),
    ("noise 10 dB below the voice", |clear| with(clear, noise(clear.len()).collect())),
    ("a chord 10 dB below the voice", |clear| with(clear, chord(clear.len()))),
    ("300 to 3400 Hz, a telephone", telephone),
];

fn power(samples: impl Iterator<Item = f32>) -> f32 {
    let squares: Vec<f32> = samples.map(|sample| sample * sample).collect();
    squares.iter().sum::<f32>() / squares.len() as f32
}

/// Adds a sound 10 dB below the voice.
fn with(clear: &[i16], sound: Vec<f32>) -> Vec<i16> {
    let voice = power(clear.iter().map(|sample| f32::from(*sample)));
    let factor = (voice / 10.0 / power(sound.iter().copied())).sqrt();
    clear.iter().zip(sound).map(|(sample, sound)| sample.saturating_add((sound * factor) as i16)).collect()
}

/// A, C sharp and E, held.
fn chord(length: usize) -> Vec<f32> {
    let turn = std::f32::consts::TAU / RATE as f32;
    let at = |at: usize| [220.0, 277.2, 329.6].map(|tone: f32| (tone * turn * at as f32).sin()).iter().sum();
    (0..length).map(at).collect()
}

/// Keeps the band of a telephone: a window of Hann over the difference of two ideal low-passes.
fn telephone(clear: &[i16]) -> Vec<i16> {
    let reach = 200i32;
    let low_pass = |share: f32, at: f32| {
        let turn = std::f32::consts::PI;
        if at == 0.0 { share } else { (share * turn * at).sin() / (turn * at) }
    };
    let weight = |at: i32| {
        let (at, window) = (at as f32, at as f32 / (reach + 1) as f32);
        let band = low_pass(3400.0 / 8000.0, at) - low_pass(300.0 / 8000.0, at);
        band * (0.5 + 0.5 * (std::f32::consts::PI * window).cos())
    };
    let weights: Vec<f32> = (-reach..=reach).map(weight).collect();
    let edge = vec![0; reach as usize];
    let padded = [&edge, clear, &edge].concat();
    let sum = |window: &[i16]| {
        window.iter().zip(&weights).map(|(sample, weight)| f32::from(*sample) * weight).sum::<f32>()
    };
    padded.windows(weights.len()).map(|window| sum(window) as i16).collect()
}

/// Returns the digits of the longest row of digits.
fn number(words: &[String]) -> String {
    let rows = words.split(|word| !word.bytes().all(|byte| byte.is_ascii_digit()));
    rows.map(<[String]>::concat).max_by_key(String::len).unwrap_or_default()
}

#[test]
#[ignore = "measurements for the documentation"]
fn quality_of_speech() {
    let Some(model) = model() else { return };
    for (name, change) in CONDITIONS {
        let (mut all, mut found, mut wrong) = (0, 0, 0);
        let (mut numbers, mut right) = (0, 0);
        for voice in VOICES {
            for text in SENTENCES {
                let samples = change(&decode(&said(text, voice), 60).unwrap());
                let transcript = transcribe(&model, &samples).located_text().text;
                let (spoken, heard) = (words(text), words(&transcript));
                let (in_order, errors) = compared(&spoken, &heard);
                (all, found, wrong) = (all + spoken.len(), found + in_order, wrong + errors);
                if errors > 4 {
                    println!("    {voice}: {transcript}");
                }
                let number_spoken = number(&spoken);
                if number_spoken.len() > 4 {
                    numbers += 1;
                    right += usize::from(number(&heard) == number_spoken);
                    println!("    {voice}: {number_spoken} -> {}", number(&heard));
                }
            }
        }
        let rate = 100.0 * wrong as f32 / all as f32;
        println!("| {name} | {found} of {all} | {rate:.1} % | {right} of {numbers} |");
    }
}
