//! Texts with annotated entities, to train the tagger on.

use std::path::PathBuf;

use anyhow::Result;
use guardengine_engine::{pii::tagger::tag::EntityClass, span::Span};
use guardengine_evaluation::{LabeledText as Row, read, suite::Marked};

/// A marked place, in bytes, with the annotator's name of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its place.
    pub span: Span,
    /// `PERSON`, `ADDRESS`, …
    pub kind: String,
}

impl Mark {
    /// Returns the entity that the tagger should report here, if any.
    pub fn entity(&self) -> Option<EntityClass> {
        match self.kind.as_str() {
            "PERSON" => Some(EntityClass::Person),
            "ADDRESS" => Some(EntityClass::Address),
            "USERNAME" => Some(EntityClass::Username),
            "ORGANIZATION" => Some(EntityClass::Organization),
            "LOCATION" => Some(EntityClass::Location),
            _ => None,
        }
    }
}

/// A training text.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Its language code.
    pub lang: String,
    /// The file it comes from.
    pub source: String,
    /// Its annotations, in order.
    pub marks: Vec<Mark>,
}

/// Reads the texts with annotated spans.
pub fn read_all(paths: &[PathBuf]) -> Result<Vec<Text>> {
    let mut texts = Vec::new();
    for path in paths {
        texts.extend(read(path)?.into_iter().filter_map(text));
    }
    Ok(texts)
}

fn text(row: Row) -> Option<Text> {
    let places: Vec<usize> =
        row.text.char_indices().map(|(place, _)| place).chain([row.text.len()]).collect();
    let mark = |one: Marked| {
        let span = Span::new(*places.get(one.start)?, *places.get(one.end)?);
        Some(Mark { span, kind: one.kind })
    };
    let mut marks: Vec<Mark> = row.spans?.into_iter().filter_map(mark).collect();
    marks.sort_by_key(|mark| mark.span);
    Some(Text { text: row.text, lang: row.lang, source: row.suite, marks })
}
