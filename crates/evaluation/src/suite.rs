//! Labelled texts: one JSON object a line, plain (`.jsonl`) or compressed (`.jsonl.gz`).

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Labels that a text is known not to have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Negatives {
    /// The listed labels.
    Listed(Vec<String>),
    /// Every label that the row does not list: the word `all`.
    Every(ForAll),
}

/// The word `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ForAll {
    /// Every label that does not hold.
    All,
}

impl Default for Negatives {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

impl Negatives {
    /// Returns true if `label` is among `labels`, false if it is a negative, `None` if that is unknown.
    pub(crate) fn holds(&self, labels: &[String], label: &str) -> Option<bool> {
        let among = |labels: &[String]| labels.iter().any(|one| one == label);
        if among(labels) {
            return Some(true);
        }
        match self {
            Self::Every(ForAll::All) => Some(false),
            Self::Listed(absent) => among(absent).then_some(false),
        }
    }
}

/// Expected decision for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expect {
    /// Some guardrail triggers.
    Flag,
    /// None does.
    Pass,
}

/// A piece of personal data, in code points of the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marked {
    /// First code point.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// PII type as the annotator calls it; see [`crate::pii::kind`].
    #[serde(alias = "label")]
    pub kind: String,
}

/// One labelled text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabeledText {
    /// Identifier within its suite; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The text.
    pub text: String,
    /// Wire names of the guardrails that it belongs to.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Labels that it is known not to have; every other label is unknown.
    #[serde(default, alias = "neg")]
    pub negatives: Negatives,
    /// Language code.
    #[serde(default)]
    pub lang: String,
    /// Notation of the text, such as `json` or `csv`; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub format: String,
    /// `user`, `model`, `document`, `tool` or `system`.
    #[serde(default)]
    pub role: String,
    /// The suite it belongs to; the file's name when absent.
    #[serde(default)]
    pub suite: String,
    /// Origin of the text.
    #[serde(default)]
    pub source: String,
    /// Expected decision, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expect>,
    /// Personal data in it; `None` if it was not annotated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spans: Option<Vec<Marked>>,
}

impl LabeledText {
    /// Returns true if `label` holds; `None` if that is unknown.
    pub fn holds(&self, label: &str) -> Option<bool> {
        self.negatives.holds(&self.labels, label)
    }

    /// Returns true if something should flag the text: that is expected, or it belongs to a guardrail.
    pub fn is_attack(&self) -> bool {
        match self.expect {
            Some(expect) => expect == Expect::Flag,
            None => !self.labels.is_empty(),
        }
    }

    /// Returns the identifier by which two reports recognize the text: its own, or else the first 16 hexadecimal digits
    /// of the SHA-256 of role and text.
    pub fn key(&self) -> String {
        if !self.id.is_empty() {
            return self.id.clone();
        }
        let digest =
            Sha256::new().chain_update(&self.role).chain_update([0]).chain_update(&self.text).finalize();
        let first = digest.iter().take(8).fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
        format!("{first:016x}")
    }
}

/// Error of reading labelled texts.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// Error of the file system.
        source: std::io::Error,
    },
    /// A line is not a row.
    #[error("{}:{line}: expected a labeled text as JSON", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from one.
        line: usize,
        /// Error of the parser.
        source: serde_json::Error,
    },
}

/// Reads a file, or every `.jsonl` and `.jsonl.gz` of a directory in the order of their names.
pub fn read(path: &Path) -> Result<Vec<LabeledText>, Unreadable> {
    let mut rows = Vec::new();
    for file in files(path)? {
        read_file(&file, &mut rows)?;
    }
    Ok(rows)
}

fn files(path: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    let failed = |source| Unreadable::File { path: path.to_owned(), source };
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        files.push(entry.map_err(failed)?.path());
    }
    files.retain(|file| name(file).split('.').any(|part| part == "jsonl"));
    files.sort();
    Ok(files)
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default()
}

fn read_file(path: &Path, rows: &mut Vec<LabeledText>) -> Result<(), Unreadable> {
    let failed = |source| Unreadable::File { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    let packed = path.extension().is_some_and(|extension| extension == "gz");
    let plain: Box<dyn Read> = if packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    for (index, line) in BufReader::new(plain).lines().enumerate() {
        let line = line.map_err(failed)?;
        if line.trim().is_empty() {
            continue;
        }
        rows.push(row(path, index + 1, &line)?);
    }
    Ok(())
}

fn row(path: &Path, line: usize, json: &str) -> Result<LabeledText, Unreadable> {
    let wrong = |source| Unreadable::Line { path: path.to_owned(), line, source };
    let mut row: LabeledText = serde_json::from_str(json).map_err(wrong)?;
    if row.suite.is_empty() {
        name(path).split('.').next().unwrap_or_default().clone_into(&mut row.suite);
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(json: &str) -> LabeledText {
        row(Path::new("some/suite_a.jsonl.gz"), 1, json).unwrap()
    }

    #[test]
    fn a_label_holds_is_absent_or_is_unknown() {
        let row = parsed(r#"{"text":"x","labels":["spam"],"neg":["fraud"]}"#);
        assert_eq!(
            [row.holds("spam"), row.holds("fraud"), row.holds("nsfw")],
            [Some(true), Some(false), None]
        );
    }

    #[test]
    fn all_means_every_other_label() {
        let row = parsed(r#"{"text":"x","labels":["spam"],"negatives":"all"}"#);
        assert_eq!([row.holds("spam"), row.holds("nsfw")], [Some(true), Some(false)]);
    }

    #[test]
    fn a_row_without_a_suite_takes_the_files_name() {
        assert_eq!(parsed(r#"{"text":"x"}"#).suite, "suite_a");
    }

    #[test]
    fn texts_are_recognized_by_identifier_or_by_role_and_text() {
        let key = |json| parsed(json).key();
        assert_eq!(key(r#"{"id":"a1","text":"x"}"#), "a1");
        assert_eq!(key(r#"{"text":"x"}"#), key(r#"{"text":"x","labels":["spam"]}"#));
        assert_ne!(key(r#"{"text":"x"}"#), key(r#"{"text":"x","role":"document"}"#));
        // SHA-256 of a zero byte and "x".
        assert_eq!(key(r#"{"text":"x"}"#), "3c7e9bc930dc93f0");
    }

    #[test]
    fn the_expected_decision_outweighs_labels() {
        let is_attack = |json| parsed(json).is_attack();
        assert!(is_attack(r#"{"text":"x","labels":["spam"]}"#));
        assert!(is_attack(r#"{"text":"x","expect":"flag"}"#));
        assert!(!is_attack(r#"{"text":"x","labels":["spam"],"expect":"pass"}"#));
        assert!(!is_attack(r#"{"text":"x"}"#));
    }

    #[test]
    fn spans_may_be_marked_with_kind_or_label() {
        let row = parsed(
            r#"{"text":"x","spans":[{"start":0,"end":1,"label":"EMAIL"},{"start":1,"end":2,"kind":"url"}]}"#,
        );
        let kinds: Vec<_> = row.spans.unwrap().into_iter().map(|span| span.kind).collect();
        assert_eq!(kinds, ["EMAIL", "url"]);
    }

    #[test]
    fn the_error_names_the_bad_line() {
        let error = row(Path::new("a.jsonl"), 7, "{").unwrap_err();
        assert!(error.to_string().starts_with("a.jsonl:7: "), "{error}");
    }
}
