//! whisper.cpp's model files (`ggml-base.bin`): is a file one, and whole?
//!
//! whisper.cpp itself takes a file that ends behind its vocabulary for an empty model, which hears nothing in any
//! recording, and one that ends within its last tensor for whole; sizes that make no sense end its process. The format:
//! magic, eleven sizes, mel filters, vocabulary, then tensors to the end of the file, all little endian.
//!
//! Source: `whisper_model_load` of whisper.cpp 1.8; sizes of blocks as in its `ggml-common.h`.

use std::{
    fs::File,
    io::{self, BufReader, Read as _},
    path::Path,
};

/// `ggml`
const MAGIC: i32 = 0x6767_6d6c;
/// Whisper's own vocabulary, with and without other languages; its places are wired into whisper.cpp.
const VOCABULARY: std::ops::RangeInclusive<i32> = 51_864..=51_866;
/// Sizes of any kind, at most: twice those of the largest model.
const LARGEST: i32 = 8192;
const NO_MODEL: &str = "is no model of whisper.cpp";
const CUT: &str = "is cut short";

/// A file, and how many bytes of it are left.
struct Rest {
    file: BufReader<File>,
    left: u64,
}

/// Whether whisper.cpp would find all that it expects; why not, to be read behind the file's name.
pub fn check(path: &Path) -> Result<(), String> {
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
    let (about, file) = opened.map_err(|fault| format!("cannot be read: {fault}"))?;
    if !about.is_file() {
        return Err("is no file".to_owned());
    }
    let mut rest = Rest { file: BufReader::new(file), left: about.len() };
    whole(&mut rest).map_err(|_| CUT.to_owned())?.map_err(str::to_owned)
}

fn whole(rest: &mut Rest) -> io::Result<Result<(), &'static str>> {
    if rest.left < 4 || rest.number()? != MAGIC {
        return Ok(Err(NO_MODEL));
    }
    let mut sizes = [0; 11];
    for size in &mut sizes {
        *size = rest.number()?;
    }
    let [vocabulary, _, audio_state, _, audio_layers, _, text_state, _, text_layers, mels, _] = sizes;
    let is_sane = sizes[1..10].iter().all(|size| (1..=LARGEST).contains(size)) && audio_state == text_state;
    if !is_sane || !VOCABULARY.contains(&vocabulary) {
        return Ok(Err(NO_MODEL));
    }
    let (filters, width) = (rest.number()?, rest.number()?);
    if filters != mels || !(1..=LARGEST).contains(&width) {
        return Ok(Err(NO_MODEL));
    }
    rest.skip(filters as u64 * width as u64 * 4)?;
    for _ in 0..rest.number()? {
        let length = rest.number()? as u32;
        rest.skip(u64::from(length))?;
    }
    tensors(rest, 11 + 15 * audio_layers as usize + 24 * text_layers as usize)
}

/// As many tensors as there have to be.
fn tensors(rest: &mut Rest, expected: usize) -> io::Result<Result<(), &'static str>> {
    let mut found = 0;
    while rest.left > 0 {
        let (dimensions, name, kind) = (rest.number()?, rest.number()?, rest.number()?);
        let block = block(kind).filter(|_| (1..=4).contains(&dimensions) && (1..=LARGEST).contains(&name));
        let Some((values, bytes)) = block else { return Ok(Err("holds what whisper.cpp does not know")) };
        let mut count = 1u64;
        for _ in 0..dimensions {
            count = count.saturating_mul(u64::from(rest.number()? as u32));
        }
        rest.skip(name as u64)?;
        rest.skip((count / values).saturating_mul(bytes))?;
        found += 1;
    }
    Ok(if found == expected { Ok(()) } else { Err(CUT) })
}

/// Values of a block of a type, and its bytes.
const fn block(kind: i32) -> Option<(u64, u64)> {
    Some(match kind {
        0 => (1, 4),     // f32
        1 => (1, 2),     // f16
        2 => (32, 18),   // q4_0
        3 => (32, 20),   // q4_1
        6 => (32, 22),   // q5_0
        7 => (32, 24),   // q5_1
        8 => (32, 34),   // q8_0
        10 => (256, 84), // q2_k
        11 => (256, 110),
        12 => (256, 144),
        13 => (256, 176),
        14 => (256, 210), // q6_k
        _ => return None,
    })
}

impl Rest {
    fn number(&mut self) -> io::Result<i32> {
        let mut bytes = [0; 4];
        self.file.read_exact(&mut bytes)?;
        self.left = self.left.saturating_sub(4);
        Ok(i32::from_le_bytes(bytes))
    }

    fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let skipped = i64::try_from(bytes).ok().filter(|_| bytes <= self.left);
        let skipped = skipped.ok_or(io::ErrorKind::UnexpectedEof)?;
        self.left -= bytes;
        self.file.seek_relative(skipped)
    }
}
