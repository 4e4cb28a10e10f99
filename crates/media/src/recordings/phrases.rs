//! Phrases that attacks are made of, listened for besides all other words: a search for a few phrases hears them in voices
//! of which the search for all words makes something else.

use std::{
    fs::File,
    io::{Result as Written, Write as _},
    path::PathBuf,
};

use crate::{foreign::pocketsphinx::PocketSphinx, protocol::Missing};

/// What nobody says by the way, a phrase a line, of three syllables and more: the shorter, the more often it is heard in
/// other words.
const PHRASES: &str = include_str!("phrases.txt");
/// The odds from which a phrase counts, as a power of ten for each of its letters: the longer the phrase the smaller.
/// Sentences of five synthetic voices, harmless ones beside them, were heard best so.
const ODDS: f32 = -1.6;

/// Has the engine listen for them. They reach the library as a file.
pub fn listen_for(engine: &mut PocketSphinx) -> Result<(), Missing> {
    let refused =
        |_| Missing { what: "a place for a small file".to_owned(), package: "a writable /tmp".to_owned() };
    let (mut file, path) = file().map_err(refused)?;
    file.write_all(lines().as_bytes()).map_err(refused)?;
    engine.set_phrases(&path)
}

/// A file in memory alone, for the root of a container may be read-only.
#[cfg(target_os = "linux")]
fn file() -> Written<(File, PathBuf)> {
    use std::os::fd::AsRawFd as _;

    use rustix::fs::{MemfdFlags, memfd_create};

    let file: File = memfd_create("phrases", MemfdFlags::CLOEXEC)?.into();
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    Ok((file, path))
}

#[cfg(not(target_os = "linux"))]
fn file() -> Written<(File, PathBuf)> {
    let path = std::env::temp_dir().join(format!("guardengine-phrases-{}", std::process::id()));
    Ok((File::create(&path)?, path))
}

fn lines() -> String {
    PHRASES.lines().map(|phrase| format!("{phrase} /1e{:.0}/\n", ODDS * letters(phrase))).collect()
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
