use super::*;

#[test]
fn decodes_a_wav_file_to_the_original_samples() {
    let written: Vec<i16> = (0..RATE as i16).map(|at| (at % 200) * 100 - 10_000).collect();
    let read = decode(&file(&written), 2).unwrap();
    assert_eq!(read.len(), written.len());
    assert!(read.iter().zip(&written).all(|(read, written)| (read - written).abs() <= 1));
}

#[test]
fn rejects_audio_that_is_too_long() {
    let silence = file(&vec![0; RATE as usize * 3]);
    assert_eq!(decode(&silence, 2), Err(Unreadable("the audio is longer than 2 seconds".to_owned())));
}

#[test]
fn mutes_only_the_given_spans() {
    let mut samples = vec![7; RATE as usize * 2];
    mute(
        &mut samples,
        0,
        &[
            TimeSpan { start: 0.5, end: 1.0 },
            TimeSpan { start: 1.9, end: 9.0 },
            TimeSpan { start: 5.0, end: 6.0 },
        ],
    );
    let zeros = samples.iter().filter(|sample| **sample == 0).count();
    assert_eq!((samples[7_999], samples[8_000], samples[15_999], samples[16_000]), (7, 0, 0, 7));
    assert!((9_599..=9_601).contains(&zeros), "{zeros}");
}

#[test]
fn excerpts_make_up_the_audio_and_are_cut_at_quiet_moments() {
    let second = RATE as usize;
    let tone = |at: usize| if at / second % 4 == 3 { 0 } else { ((at as f32 * 0.3).sin() * 8000.0) as i16 };
    let samples: Vec<i16> = (0..second * 30).map(tone).collect();
    let audio = Audio::open(file(&samples), 60).unwrap();
    assert_eq!((audio.samples(), audio.duration()), (samples.len(), 30.0));
    let muted = [TimeSpan { start: 4.0, end: 5.0 }, TimeSpan { start: 7.5, end: 9.0 }];
    let (mut from, mut joined, mut cuts) = (0, Vec::new(), Vec::new());
    while from < audio.samples() {
        let (wav, end) = audio.excerpt(from, second * 10, &muted).unwrap();
        assert!(end > from);
        joined.extend(decode(&wav, 60).unwrap());
        (from, cuts) = (end, [cuts, vec![end / second % 4]].concat());
    }
    cuts.pop();
    assert!(cuts.len() >= 3 && cuts.iter().all(|cut| *cut == 3), "{cuts:?}");
    let mut expected = samples;
    mute(&mut expected, 0, &muted);
    assert_eq!(joined.len(), expected.len());
    // Decoded twice.
    assert!(joined.iter().zip(&expected).all(|(read, written)| (read - written).abs() <= 2));
}

#[test]
fn rejects_files_that_are_not_audio() {
    for file in [&b""[..], b"hello", &[0; 4096], &[255; 4096]] {
        assert!(decode(file, 10).is_err());
    }
}
