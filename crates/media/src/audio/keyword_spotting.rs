//! Keyword spotting: a second search for attack phrases. It recognizes them in voices that the transcription of all
//! words misreads.

#[cfg(target_os = "linux")]
use std::{fs::File, io::Write as _, os::fd::AsRawFd as _};
use std::{
    io::Result,
    path::{Path, PathBuf},
};

#[cfg(target_os = "linux")]
use rustix::fs::{MemfdFlags, memfd_create};

/// Attack phrases, one per line, of at least three syllables: shorter phrases are found in other words too often.
const PHRASES: &str = include_str!("phrases.txt");
/// Detection threshold as a power of ten per letter. Chosen with attack and harmless sentences in five synthetic
/// voices.
const THRESHOLD_PER_LETTER: f32 = -1.6;

/// The phrases as a file that the library can read.
#[derive(Debug)]
pub struct PhraseList {
    path: PathBuf,
    // In memory, because a container's file system may be read-only. It exists as long as it is open.
    #[cfg(target_os = "linux")]
    _file: File,
}

impl PhraseList {
    /// Writes the phrases.
    #[cfg(target_os = "linux")]
    pub fn write() -> Result<Self> {
        let mut file: File = memfd_create("phrases", MemfdFlags::CLOEXEC)?.into();
        file.write_all(lines().as_bytes())?;
        Ok(Self { path: PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())), _file: file })
    }

    /// Writes the phrases.
    #[cfg(not(target_os = "linux"))]
    pub fn write() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("guardengine-phrases-{}", std::process::id()));
        std::fs::write(&path, lines())?;
        Ok(Self { path })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn lines() -> String {
    let lines: Vec<_> = PHRASES
        .lines()
        .map(|phrase| format!("{phrase} /1e{:.0}/\n", THRESHOLD_PER_LETTER * letters(phrase)))
        .collect();
    lines.concat()
}

fn letters(phrase: &str) -> f32 {
    phrase.chars().filter(|letter| letter.is_alphabetic()).count() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_long_and_their_thresholds_small() {
        for line in lines().lines() {
            let (phrase, threshold) = line.split_once(" /").unwrap();
            assert!(phrase.split(' ').count() > 1 && letters(phrase) > 10.0, "{phrase}");
            assert!(threshold.trim_end_matches('/').parse::<f64>().unwrap() < 1e-15, "{line}");
        }
    }
}
