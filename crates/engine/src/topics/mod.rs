//! Topics that a policy defines by examples.
//!
//! A [`TopicEncoder`] gives the vector of a text. A [`Space`] says how the vectors of harmless texts spread, and a [`Head`]
//! is the direction in that space in which the examples of a topic lie. [`Topics`] holds the topics of a policy and is
//! fitted once, after the policy is compiled; the same examples and the same model always give the same heads.

mod cholesky;
mod curve;
mod head;
mod space;
mod tail;
mod topic;

use std::{borrow::Cow, fmt, sync::Arc};

pub use self::{
    head::Head,
    space::Space,
    topic::{Topic, Topics},
};

/// The vector of a text.
#[derive(Clone, Debug)]
pub struct TextVector {
    /// The numbers.
    pub numbers: Arc<[f32]>,
    /// Number of the text's language, as the encoder counts languages.
    pub language: u8,
}

/// The place of an example in a space.
#[derive(Clone, Debug)]
pub struct Place {
    /// The whitened numbers, of length 1.
    pub numbers: Vec<f32>,
    /// Number of the example's language.
    pub language: u8,
}

/// Gives the vectors that topics are fitted to.
pub trait TopicEncoder {
    /// Returns the vector of a text.
    fn vector(&self, text: &str) -> Result<TextVector, NoVectors>;

    /// Returns the space of its vectors.
    fn space(&self) -> Result<Arc<Space>, NoVectors>;
}

/// Reason why a text has no vector, so that no topic can be found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoVectors(pub Cow<'static, str>);

impl fmt::Display for NoVectors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "no vectors for topics: {}", self.0)
    }
}

impl std::error::Error for NoVectors {}
