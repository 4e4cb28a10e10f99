//! Speech synthesis with Debian's flite and espeak-ng.

use std::process::Command;

/// Returns a WAV file with `text` spoken by a flite voice, or by an espeak-ng voice if the name starts with `en`.
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
    let status = command.status().expect("flite or espeak-ng is missing: run scripts/install-deps test");
    assert!(status.success());
    std::fs::read(file).unwrap()
}
