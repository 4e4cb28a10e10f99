//! A search for changed attacks that pass: what an attacker with a number of tries would find.
//!
//! Each attack is changed by one technique at a time, in a random order, until it passes. Then two techniques are
//! combined, beginning with those that lowered the score most. Everything is seeded: the same texts, seed and
//! evaluation give the same tries.
//!
//! Techniques change how an attack is written, framed or split, not what it asks for. Nothing checks whether a model
//! would still follow the changed text, so the share that passes is an upper bound of what an attacker gains.

mod characters;
mod encodings;
mod languages;
mod padding;
mod paraphrase;
mod report;
mod search;
mod spacing;
mod splitting;
mod technique;

pub use report::{AttackReport, AttackResult, CombinationReport, TechniqueReport};
pub use search::{Assessment, Options, Passed, search};
pub use technique::{Family, Variant, names};
