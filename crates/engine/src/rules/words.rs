//! Word classes that several guardrails use. The words are in `words/`, one language a file.

use super::{
    WordClass,
    word_files::{word_class, word_files},
};

const FILES: &[&str] = word_files!();

/// Verbs that set instructions aside.
pub const OVERRIDE: WordClass = word_class!(FILES, "override");

/// The same in languages whose verb comes last.
pub const OVERRIDE_LAST: WordClass = word_class!(FILES, "override_last");

/// Given before this text.
pub const EARLIER: WordClass = word_class!(FILES, "earlier");

/// Instructions that a model obeys.
pub const INSTRUCTIONS: WordClass = word_class!(FILES, "instructions");

/// Possessives addressed to the model.
pub const YOUR: WordClass = word_class!(FILES, "your");

/// Verbs that reveal something.
pub const REVEAL: WordClass = word_class!(FILES, "reveal");

/// What the model was given in confidence.
pub const SECRET: WordClass = word_class!(FILES, "secret");
