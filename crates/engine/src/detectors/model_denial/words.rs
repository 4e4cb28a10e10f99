//! Word classes of the rules. The words are in `words/`, one language a file.

use crate::rules::{
    WordClass,
    word_files::{word_class, word_files},
};

const FILES: &[&str] = word_files!();

/// Verbs of repetition.
pub const REPEAT: WordClass = word_class!(FILES, "repeat");

/// The same in languages whose verb comes last.
pub const REPEAT_LAST: WordClass = word_class!(FILES, "repeat_last");

/// Things to repeat.
pub const THING: WordClass = word_class!(FILES, "thing");

/// Endless or absurd counts.
pub const FOREVER: WordClass = word_class!(FILES, "forever");

/// Demands to go on.
pub const GO_ON: WordClass = word_class!(FILES, "go_on");

/// Demands never to stop.
pub const NEVER_STOP: WordClass = word_class!(FILES, "never_stop");

/// Quantifiers over each item.
pub const EACH: WordClass = word_class!(FILES, "each");

/// Demands to repeat a step for each result.
pub const AGAIN_FOR_EACH: WordClass = word_class!(FILES, "again_for_each");

/// Recursive expansion.
pub const RECURSE: WordClass = word_class!(FILES, "recurse");

/// Demands that the model prompts itself.
pub const CALL_YOURSELF: WordClass = word_class!(FILES, "call_yourself");

/// Verbs that execute something.
pub const RUN: WordClass = word_class!(FILES, "run");

/// Fork bombs.
pub const FORK_BOMB: WordClass = word_class!(FILES, "fork_bomb");
