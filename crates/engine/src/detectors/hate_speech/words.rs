//! Word classes of the rules. The words are in `words/`, one language a file.

use crate::rules::{WordClass, word_files::word_class};

const FILES: &[&str] = &[
    include_str!("words/en.txt"),
    include_str!("words/de.txt"),
    include_str!("words/fr.txt"),
    include_str!("words/es.txt"),
    include_str!("words/it.txt"),
    include_str!("words/pt.txt"),
    include_str!("words/nl.txt"),
    include_str!("words/pl.txt"),
    include_str!("words/tr.txt"),
    include_str!("words/ru.txt"),
    include_str!("words/ar.txt"),
    include_str!("words/hi.txt"),
    include_str!("words/zh.txt"),
    include_str!("words/ja.txt"),
    include_str!("words/ko.txt"),
];

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
