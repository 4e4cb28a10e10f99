//! Word classes of the rules. The words are in `words/`, one language a file.

use crate::rules::{
    WordClass,
    word_files::{word_class, word_files},
};

const FILES: &[&str] = word_files!();

/// Statements of hatred.
pub const HATE: WordClass = word_class!(FILES, "hate");

/// Groups of people. Plurals only: an adjective may describe food or weather, too.
pub const GROUP: WordClass = word_class!(FILES, "group");

/// Phrases that degrade a group or wish it dead.
pub const VILE: WordClass = word_class!(FILES, "vile");

/// Calls for violence.
pub const KILL: WordClass = word_class!(FILES, "kill");

/// Words with hardly any use but as an insult to a group.
pub const SLUR: WordClass = word_class!(FILES, "slur");
