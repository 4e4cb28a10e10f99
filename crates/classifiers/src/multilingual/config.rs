//! The metadata of the weights file: sizes, names, and the rules by which a text is cut.

use serde::Deserialize;

use super::weights::WeightsError;

/// Version of the format that this engine reads.
const VERSION: u32 = 3;
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
    pub combination: Combination,
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

/// The logit of a window as a function of what is known of it, fitted for each label. That of a text is the highest of its
/// windows.
#[derive(Clone, Debug, Deserialize)]
pub struct Combination {
    /// For a window that leaves early: the factors of the early logit and of the log-odds beside it, and an offset.
    pub early: Vec<[f32; 3]>,
    /// For another one: the factors of the late logit, the early logit and the log-odds beside them, and an offset.
    pub late: Vec<[f32; 4]>,
    /// A window that has less than this for every label is read no further.
    pub exit_below: f32,
}

impl Combination {
    /// The logits of a window after the early exit. `beside` may be empty, which counts as even odds.
    pub fn early(&self, early: &[f32], beside: &[f32]) -> Vec<f32> {
        let beside = beside.iter().chain(std::iter::repeat(&0.0));
        let logit = |(([of_early, of_beside, offset], early), beside): ((&[f32; 3], &f32), &f32)| {
            of_early * early + of_beside * beside + offset
        };
        self.early.iter().zip(early).zip(beside).map(logit).collect()
    }

    /// The logits of a window that all layers have read.
    pub fn late(&self, late: &[f32], early: &[f32], beside: &[f32]) -> Vec<f32> {
        let beside = beside.iter().chain(std::iter::repeat(&0.0));
        let inputs = late.iter().zip(early).zip(beside);
        let logit = |([of_late, of_early, of_beside, offset], ((late, early), beside)): (&[f32; 4], _)| {
            of_late * late + of_early * early + of_beside * beside + offset
        };
        self.late.iter().zip(inputs).map(logit).collect()
    }

    /// Returns whether a window with these early logits is read no further.
    pub fn leaves(&self, logits: &[f32], exit_below: Option<f32>) -> bool {
        let exit_below = exit_below.unwrap_or(self.exit_below);
        logits.iter().all(|logit| *logit < exit_below)
    }

    /// Bounds under which a higher input never lowers a score.
    fn check(&self, labels: usize) -> Result<(), WeightsError> {
        let Self { early, late, exit_below } = self;
        within("combination.early", early.len(), labels, labels)?;
        within("combination.late", late.len(), labels, labels)?;
        let factors = early.iter().flat_map(|line| &line[..2]).chain(late.iter().flat_map(|line| &line[..3]));
        let rising = factors.copied().all(|factor| factor >= 0.0);
        require("combination", &"a negative one", rising, "factors of 0 or more")?;
        let mut numbers = early.iter().flatten().chain(late.iter().flatten()).chain([exit_below]);
        require("combination", &"infinity", numbers.all(|number| number.is_finite()), "finite numbers")
    }
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
        require("version", &self.version, self.version == VERSION, "3")?;
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
        within("roles", self.roles.len(), 1, 64)?;
        self.combination.check(self.labels.len())
    }
}

fn within(key: &'static str, found: usize, least: usize, most: usize) -> Result<(), WeightsError> {
    require(key, &found, (least..=most).contains(&found), &format!("{least} to {most}"))
}

fn require(key: &'static str, found: &dyn ToString, holds: bool, expected: &str) -> Result<(), WeightsError> {
    if holds {
        return Ok(());
    }
    Err(WeightsError::Config { key, found: found.to_string(), expected: expected.to_owned() })
}
