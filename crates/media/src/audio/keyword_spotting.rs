//! Phrases that attacks are made of, listened for besides all other words: a search for a few phrases hears them in voices
//! of which the search for all words makes something else.

#[cfg(target_os = "linux")]
use std::{fs::File, io::Write as _, os::fd::AsRawFd as _};
use std::{
    io::Result,
    path::{Path, PathBuf},
};

#[cfg(target_os = "linux")]
use rustix::fs::{MemfdFlags, memfd_create};

/// What nobody says by the way, a phrase a line, of three syllables and more: the shorter, the more often it is heard in
/// other words.
const PHRASES: &str = include_str!("phrases.txt");
/// The odds from which a phrase counts, as a power of ten for each of its letters: the longer the phrase the smaller.
/// Sentences of five synthetic voices, harmless ones beside them, were heard best so.
const ODDS: f32 = -1.6;

/// The phrases as the file in which they reach the library.
#[derive(Debug)]
pub struct PhraseList {
    path: PathBuf,
    // In memory, for the root of a container may be read-only: it lasts as long as it is open.
    #[cfg(target_os = "linux")]
    _file: File,
}

impl PhraseList {
    /// Writes them.
    #[cfg(target_os = "linux")]
    pub fn written() -> Result<Self> {
        let mut file: File = memfd_create("phrases", MemfdFlags::CLOEXEC)?.into();
        file.write_all(lines().as_bytes())?;
        Ok(Self { path: PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())), _file: file })
    }

    /// Writes them.
    #[cfg(not(target_os = "linux"))]
    pub fn written() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("guardengine-phrases-{}", std::process::id()));
        std::fs::write(&path, lines())?;
        Ok(Self { path })
    }

    /// Where they are.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn lines() -> String {
    let lines: Vec<_> =
        PHRASES.lines().map(|phrase| format!("{phrase} /1e{:.0}/\n", ODDS * letters(phrase))).collect();
    lines.concat()
}

fn letters(phrase: &str) -> f32 {
    phrase.chars().filter(|letter| letter.is_alphabetic()).count() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_long_enough_and_their_odds_small() {
        for line in lines().lines() {
            let (phrase, odds) = line.split_once(" /").unwrap();
            assert!(phrase.split(' ').count() > 1 && letters(phrase) > 10.0, "{phrase}");
            assert!(odds.trim_end_matches('/').parse::<f64>().unwrap() < 1e-15, "{line}");
        }
    }
}
