//! Validation of whisper.cpp model files (`ggml-base.bin`).
//!
//! whisper.cpp does not detect every truncated file. A file that ends after the vocabulary loads as an empty model,
//! which transcribes nothing, and one that ends within its last tensor loads as complete. Invalid sizes crash the
//! process.
//!
//! Format: magic number, eleven sizes, mel filters, vocabulary, then tensors up to the end of the file, all little
//! endian. Source: `whisper_model_load` of whisper.cpp 1.8; block sizes from its `ggml-common.h`.

use std::{
    fs::File,
    io::{self, BufReader, Read as _},
    path::Path,
};

/// `ggml` in ASCII.
const MAGIC: i32 = 0x6767_6d6c;
/// Vocabulary sizes of Whisper's models. whisper.cpp has the token ids built in.
const VOCABULARY_SIZES: std::ops::RangeInclusive<i32> = 51_864..=51_866;
/// Upper limit for every size, twice that of the largest model.
const MAX_SIZE: i32 = 8192;
const NOT_A_MODEL: &str = "is not a whisper.cpp model";
const TRUNCATED: &str = "is cut short";

/// Reader that counts the bytes left in the file.
struct Reader {
    file: BufReader<File>,
    remaining: u64,
}

/// Checks that whisper.cpp can load the whole file. Returns the reason otherwise, phrased to follow the file's name.
pub fn check(path: &Path) -> Result<(), String> {
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
    let (metadata, file) = opened.map_err(|error| format!("cannot be read: {error}"))?;
    if !metadata.is_file() {
        return Err("is not a file".to_owned());
    }
    let mut reader = Reader { file: BufReader::new(file), remaining: metadata.len() };
    check_model(&mut reader).map_err(|_| TRUNCATED.to_owned())?.map_err(str::to_owned)
}

fn check_model(reader: &mut Reader) -> io::Result<Result<(), &'static str>> {
    if reader.remaining < 4 || reader.number()? != MAGIC {
        return Ok(Err(NOT_A_MODEL));
    }
    let mut sizes = [0; 11];
    for size in &mut sizes {
        *size = reader.number()?;
    }
    let [vocabulary, _, audio_state, _, audio_layers, _, text_state, _, text_layers, mels, _] = sizes;
    let are_valid =
        sizes[1..10].iter().all(|size| (1..=MAX_SIZE).contains(size)) && audio_state == text_state;
    if !are_valid || !VOCABULARY_SIZES.contains(&vocabulary) {
        return Ok(Err(NOT_A_MODEL));
    }
    let (filters, width) = (reader.number()?, reader.number()?);
    if filters != mels || !(1..=MAX_SIZE).contains(&width) {
        return Ok(Err(NOT_A_MODEL));
    }
    reader.skip(filters as u64 * width as u64 * 4)?;
    for _ in 0..reader.number()? {
        let length = reader.number()? as u32;
        reader.skip(u64::from(length))?;
    }
    check_tensors(reader, 11 + 15 * audio_layers as usize + 24 * text_layers as usize)
}

/// Checks that the rest of the file consists of the expected number of tensors.
fn check_tensors(reader: &mut Reader, expected: usize) -> io::Result<Result<(), &'static str>> {
    let mut found = 0;
    while reader.remaining > 0 {
        let (dimensions, name, kind) = (reader.number()?, reader.number()?, reader.number()?);
        let block =
            block_size(kind).filter(|_| (1..=4).contains(&dimensions) && (1..=MAX_SIZE).contains(&name));
        let Some((values, bytes)) = block else {
            return Ok(Err("contains data that whisper.cpp does not support"));
        };
        let mut count = 1u64;
        for _ in 0..dimensions {
            count = count.saturating_mul(u64::from(reader.number()? as u32));
        }
        reader.skip(name as u64)?;
        reader.skip((count / values).saturating_mul(bytes))?;
        found += 1;
    }
    Ok(if found == expected { Ok(()) } else { Err(TRUNCATED) })
}

/// Returns the number of values in a block of a tensor type, and its bytes.
const fn block_size(kind: i32) -> Option<(u64, u64)> {
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

impl Reader {
    fn number(&mut self) -> io::Result<i32> {
        let mut bytes = [0; 4];
        self.file.read_exact(&mut bytes)?;
        self.remaining = self.remaining.saturating_sub(4);
        Ok(i32::from_le_bytes(bytes))
    }

    fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let offset = i64::try_from(bytes).ok().filter(|_| bytes <= self.remaining);
        let offset = offset.ok_or(io::ErrorKind::UnexpectedEof)?;
        self.remaining -= bytes;
        self.file.seek_relative(offset)
    }
}
