//! Regular expressions that an organization writes, searched for in time proportional to the text.

mod hir;
mod named_pattern;
mod pattern_set;

pub use named_pattern::{NamedPattern, check};
pub use pattern_set::PatternSet;
