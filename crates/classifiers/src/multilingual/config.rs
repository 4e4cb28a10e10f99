//! The metadata of the weights file: sizes, names, and the rules by which a text is cut.

use serde::Deserialize;

use super::weights::WeightsError;

/// Version of the format that this engine reads.
const VERSION: u32 = 4;
/// Weights that share one scale in the embeddings.
pub const BLOCK: usize = 32;
/// Ids before this one are marks that no text contains.
pub const FIRST_PIECE: usize = 4;

/// The entry `config` of the file's metadata. `training/multilingual/FORMAT.md` describes each field.
#[derive(Debug, Deserialize)]
pub struct Config {
    pub version: u32,
    pub shape: Shape,
    pub labels: Vec<String>,
    pub tags: Vec<String>,
    pub languages: Vec<String>,
    pub roles: Vec<String>,
    pub windows: WindowRules,
}

/// Sizes of the network.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Shape {
    pub pieces: usize,
    pub layers: usize,
    /// Layers that read every piece. Above them, `stride` neighbors are read as one.
    pub lower: usize,
    /// Layers before the early exit.
    pub exit: usize,
    pub width: usize,
    pub heads: usize,
    pub inner: usize,
    pub stride: usize,
    /// Neighbors on each side that the tag of a piece depends on directly.
    pub near: usize,
    /// Width of the tagger.
    pub tagger: usize,
    /// Added to a variance before its root is taken.
    pub epsilon: f32,
}

/// The rules by which a text is cut into windows.
#[derive(Clone, Debug, Deserialize)]
pub struct WindowRules {
    /// Pieces of a window at most, without the marks at its begin and end.
    pub content: usize,
    /// A window that is not the last has more pieces.
    pub shortest: usize,
    /// Pieces that a window shares with the previous one at most.
    pub overlap: usize,
    pub begin: u32,
    pub end: u32,
    /// Characters that end a sentence before a blank.
    pub stops: String,
    /// Characters that end a sentence anywhere.
    pub wide_stops: String,
}

impl Config {
    /// Reads and checks the entry.
    pub fn parse(json: &str) -> Result<Self, WeightsError> {
        let config: Self = serde_json::from_str(json)?;
        config.check()?;
        Ok(config)
    }

    /// Bounds that keep every later computation finite and every index inside its tensor.
    fn check(&self) -> Result<(), WeightsError> {
        let Self { shape, windows, .. } = self;
        require("version", &self.version, self.version == VERSION, "4")?;
        within("shape.layers", shape.layers, 1, 64)?;
        within("shape.lower", shape.lower, 0, shape.layers)?;
        within("shape.exit", shape.exit, shape.lower, shape.layers)?;
        within("shape.width", shape.width, BLOCK, 4096)?;
        let blocks = shape.width.is_multiple_of(BLOCK);
        require("shape.width", &shape.width, blocks, "a multiple of 32")?;
        within("shape.heads", shape.heads, 1, shape.width)?;
        let even = shape.width.is_multiple_of(shape.heads);
        require("shape.heads", &shape.heads, even, "a divisor of shape.width")?;
        within("shape.inner", shape.inner, 1, 65_536)?;
        within("shape.stride", shape.stride, 1, 16)?;
        within("shape.near", shape.near, 0, 8)?;
        within("shape.tagger", shape.tagger, 1, 4096)?;
        within("shape.pieces", shape.pieces, FIRST_PIECE, 1_000_000)?;
        let small = shape.epsilon > 0.0 && shape.epsilon < 1.0;
        require("shape.epsilon", &shape.epsilon, small, "a number between 0 and 1")?;
        within("windows.content", windows.content, 2, 1022)?;
        within("windows.shortest", windows.shortest, 1, windows.content - 1)?;
        within("windows.overlap", windows.overlap, 0, windows.shortest)?;
        within("windows.begin", windows.begin as usize, 0, FIRST_PIECE - 1)?;
        within("windows.end", windows.end as usize, 0, FIRST_PIECE - 1)?;
        within("windows.stops", windows.stops.len() + windows.wide_stops.len(), 0, 256)?;
        within("labels", self.labels.len(), 1, 64)?;
        within("tags", self.tags.len(), 1, 64)?;
        within("languages", self.languages.len(), 1, 512)?;
        within("roles", self.roles.len(), 1, 64)
    }
}

pub fn within(key: &'static str, found: usize, least: usize, most: usize) -> Result<(), WeightsError> {
    require(key, &found, (least..=most).contains(&found), &format!("{least} to {most}"))
}

pub fn require(
    key: &'static str,
    found: &dyn ToString,
    holds: bool,
    expected: &str,
) -> Result<(), WeightsError> {
    if holds {
        return Ok(());
    }
    Err(WeightsError::Config { key, found: found.to_string(), expected: expected.to_owned() })
}
