//! Recordings of texts, said by Debian's flite and espeak-ng.

use std::process::Command;

/// A WAV file of `text`, said by a voice of flite, or by one of espeak-ng where its name begins with `en`.
pub fn said(text: &str, voice: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("said.wav");
    let mut command = if voice.starts_with("en") {
        let mut espeak = Command::new("espeak-ng");
        espeak.args(["-v", voice, "-s", "140", "-w"]).arg(&file).arg(text);
        espeak
    } else {
        let mut flite = Command::new("flite");
        flite.args(["-voice", voice, "-t", text, "-o"]).arg(&file);
        flite
    };
    let ran = command.status().expect("flite and espeak-ng are installed: scripts/packages test");
    assert!(ran.success());
    std::fs::read(file).unwrap()
}
