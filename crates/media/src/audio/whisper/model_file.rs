//! Model files of CTranslate2 (`model.bin`): named variables, read one at a time, so that the half floats of the file and
//! the weights made from them are never in memory together.
//!
//! Format, little endian: version, name and revision of the model's kind, number of variables; for each its name, number
//! of sizes, sizes, type, number of bytes, and data; then the aliases, pairs of names. A text is its length in 16 bits and
//! its bytes, of which the last is zero. Source: `model_spec.py` and `Model::load` of CTranslate2 4.

use std::{
    collections::HashMap,
    fs::File,
    io::{BufReader, Read, Seek, SeekFrom},
    path::Path,
};

use rten_simd::{SimdOp as _, f16};
use rten_vecmath::F16ToF32;

/// Version of the format.
const VERSION: u32 = 6;
const KIND: &str = "WhisperSpec";
/// Upper limits, several times what Whisper's largest model has.
const MAX_VARIABLES: u32 = 8192;
const MAX_NAME: u16 = 256;
const MAX_SIZES: u8 = 4;
const MAX_SIZE: u32 = 1 << 18;
const MAX_ALIASES: u32 = 64;
/// Bytes of a half float.
const HALF: usize = 2;

/// Reason why a file cannot be used, phrased to follow its name.
pub type Reason = String;

/// Type of a variable's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    I8,
    I16,
    F16,
    Other,
}

#[derive(Debug)]
struct Variable {
    sizes: Vec<usize>,
    kind: Kind,
    place: u64,
    bytes: u64,
}

/// A model file, of which the names and sizes are known and the data is read on demand.
#[derive(Debug)]
pub struct ModelFile<F = BufReader<File>> {
    file: F,
    length: u64,
    variables: HashMap<String, Variable>,
}

impl ModelFile {
    /// Opens a file and checks that it is complete.
    pub fn open(path: &Path) -> Result<Self, Reason> {
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, file) = opened.map_err(|error| format!("cannot be read: {error}"))?;
        if !metadata.is_file() {
            return Err("is not a file".to_owned());
        }
        Self::read(BufReader::new(file), metadata.len())
    }
}

impl<F: Read + Seek> ModelFile<F> {
    /// Reads the names, sizes and places of the variables.
    pub fn read(file: F, length: u64) -> Result<Self, Reason> {
        let mut model = Self { file, length, variables: HashMap::new() };
        let not_a_model = || "is not a Whisper model of CTranslate2".to_owned();
        let version = model.number().map_err(|_| not_a_model())?;
        if version != VERSION || model.text().ok().as_deref() != Some(KIND) {
            return Err(not_a_model());
        }
        let _revision = model.number()?;
        for _ in 0..at_most("variables", model.number()?, MAX_VARIABLES)? {
            model.variable()?;
        }
        for _ in 0..at_most("aliases", model.number()?, MAX_ALIASES)? {
            let (_alias, _name) = (model.text()?, model.text()?);
        }
        if model.place()? == length { Ok(model) } else { Err("contains more than a model".to_owned()) }
    }

    /// Returns true if the file has a variable of this name.
    pub fn has(&self, name: &str) -> bool {
        self.variables.contains_key(name)
    }

    /// Returns the sizes of a variable.
    pub fn sizes(&self, name: &str) -> Result<&[usize], Reason> {
        Ok(&self.find(name)?.sizes)
    }

    /// Returns a whole number.
    pub fn integer(&mut self, name: &str) -> Result<i64, Reason> {
        let (kind, place) = match self.find(name)? {
            Variable { sizes, kind, place, .. } if sizes.is_empty() => (*kind, *place),
            _ => return Err(format!("has {name} with sizes; one number is needed")),
        };
        self.seek(place)?;
        match kind {
            Kind::I8 => Ok(i64::from(i8::from_le_bytes(self.array()?))),
            Kind::I16 => Ok(i64::from(i16::from_le_bytes(self.array()?))),
            Kind::F16 | Kind::Other => Err(format!("has {name} as another type than a whole number")),
        }
    }

    /// Returns the numbers of a variable of these sizes.
    pub fn floats(&mut self, name: &str, sizes: &[usize]) -> Result<Vec<f32>, Reason> {
        let mut numbers = Vec::new();
        self.rows(name, sizes, |row| numbers.extend_from_slice(row))?;
        Ok(numbers)
    }

    /// Calls `read` with each row of a variable of these sizes, the numbers of its last dimension.
    pub fn rows(&mut self, name: &str, sizes: &[usize], mut read: impl FnMut(&[f32])) -> Result<(), Reason> {
        let variable = self.find(name)?;
        if variable.sizes != sizes || variable.kind != Kind::F16 {
            return Err(format!(
                "has {name} as {:?} {:?}; F16 {sizes:?} is needed",
                variable.kind, variable.sizes
            ));
        }
        let (place, width) = (variable.place, sizes.last().copied().unwrap_or(1));
        self.seek(place)?;
        let (mut bytes, mut halves, mut row) = (vec![0; width * HALF], Vec::new(), Vec::with_capacity(width));
        for _ in 0..sizes.iter().product::<usize>() / width.max(1) {
            self.file.read_exact(&mut bytes).map_err(|_| cut_short())?;
            halves.clear();
            halves.extend(
                bytes.as_chunks::<HALF>().0.iter().map(|half| f16::from_bits(u16::from_le_bytes(*half))),
            );
            row.clear();
            let numbers = F16ToF32::new(&halves, &mut row.spare_capacity_mut()[..width]).dispatch();
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(format!("has {name} with numbers that are not finite"));
            }
            read(numbers);
        }
        Ok(())
    }

    fn find(&self, name: &str) -> Result<&Variable, Reason> {
        self.variables.get(name).ok_or_else(|| format!("has no {name}"))
    }

    /// Reads the head of a variable and skips its data.
    fn variable(&mut self) -> Result<(), Reason> {
        let name = self.text()?;
        let [rank] = self.array()?;
        if rank > MAX_SIZES {
            return Err(format!("has {name} with {rank} dimensions; at most {MAX_SIZES} are accepted"));
        }
        let mut sizes = Vec::new();
        for _ in 0..rank {
            sizes.push(at_most(&name, self.number()?, MAX_SIZE)? as usize);
        }
        let [kind] = self.array()?;
        let (kind, size) = kind_and_size(kind).ok_or_else(|| format!("has {name} of an unknown type"))?;
        let bytes = u64::from(self.number()?);
        let expected = sizes.iter().try_fold(size, |bytes, size| bytes.checked_mul(*size as u64));
        if expected != Some(bytes) {
            return Err(format!("has {name} with {bytes} bytes, which do not fit its sizes {sizes:?}"));
        }
        let place = self.place()?;
        if place + bytes > self.length {
            return Err(cut_short());
        }
        self.seek(place + bytes)?;
        let variable = Variable { sizes, kind, place, bytes };
        match self.variables.insert(name.clone(), variable) {
            None => Ok(()),
            Some(first) => Err(format!("has {name} twice, the first with {} bytes", first.bytes)),
        }
    }

    fn text(&mut self) -> Result<String, Reason> {
        let length = u16::from_le_bytes(self.array()?);
        if !(1..=MAX_NAME).contains(&length) {
            return Err(format!("has a name of {length} bytes; 1 to {MAX_NAME} are accepted"));
        }
        let mut bytes = vec![0; usize::from(length)];
        self.file.read_exact(&mut bytes).map_err(|_| cut_short())?;
        let is_ended = bytes.pop() == Some(0);
        let text = String::from_utf8(bytes).ok().filter(|text| is_ended && !text.contains('\0'));
        text.ok_or_else(|| "has a name that is not text".to_owned())
    }

    fn number(&mut self) -> Result<u32, Reason> {
        self.array().map(u32::from_le_bytes)
    }

    fn array<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], Reason> {
        let mut bytes = [0; LENGTH];
        self.file.read_exact(&mut bytes).map_err(|_| cut_short())?;
        Ok(bytes)
    }

    fn place(&mut self) -> Result<u64, Reason> {
        self.file.stream_position().map_err(|error| format!("cannot be read: {error}"))
    }

    fn seek(&mut self, place: u64) -> Result<(), Reason> {
        self.file.seek(SeekFrom::Start(place)).map_err(|error| format!("cannot be read: {error}"))?;
        Ok(())
    }
}

fn cut_short() -> Reason {
    "is cut short".to_owned()
}

fn at_most(what: &str, count: u32, most: u32) -> Result<u32, Reason> {
    if count <= most { Ok(count) } else { Err(format!("has {what} of {count}; at most {most} are accepted")) }
}

/// Returns a type and its bytes by its number in the file (`DataType` of CTranslate2).
const fn kind_and_size(kind: u8) -> Option<(Kind, u64)> {
    match kind {
        0 | 3 => Some((Kind::Other, 4)),
        1 => Some((Kind::I8, 1)),
        2 => Some((Kind::I16, 2)),
        4 => Some((Kind::F16, 2)),
        5 => Some((Kind::Other, 2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
