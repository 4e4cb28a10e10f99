//! Documents: their text with the place of each segment, and masked files of the same format.
//!
//! Each format has a walk that shows every text to a [`visitor::Visitor`] and writes what it replaces. Reading and
//! rewriting use the same walk, so that both see the same segments.

mod archive;
mod email;
mod embedded;
mod encoding;
mod format;
mod html;
mod limits;
mod macros;
mod markup;
mod office;
mod package;
mod pdf;
mod plain;
mod runs;
mod sheet;
mod visitor;

use std::time::Duration;

use crate::{Extracted, Format, Rewrite};
use limits::{MAX_DEPTH, MAX_ENTRIES};
use visitor::{Collector, Rewriter, Walk};

/// Reason why a document was not processed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// The document is invalid or not accepted. Holds the reason, for the sender.
    #[error("{0}")]
    Unreadable(String),
    /// The time limit was reached.
    #[error("not read in time")]
    TimedOut,
}

impl DocumentError {
    fn too_large(what: impl std::fmt::Display) -> Self {
        Self::Unreadable(format!("the document is too large: it has {what}"))
    }

    fn too_many_entries() -> Self {
        Self::too_large(format!("more than {MAX_ENTRIES} entries"))
    }

    fn unknown_format() -> Self {
        Self::Unreadable("must be PDF, DOCX, XLSX, PPTX, HTML, EML, ZIP, TXT, CSV or JSON".to_owned())
    }

    fn damaged(format: Format) -> Self {
        Self::Unreadable(format!("the {} file is damaged", format.name()))
    }
}

/// Limits of a document beyond the fixed ones.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Accepted number of pixels of an image or a rendered page.
    pub pixels: u64,
    /// Time to read the document.
    pub time: Duration,
}

/// Returns the text of a document, and the files of its images one after the other. The name, if there is one, must fit
/// the contents.
pub fn read(file: &[u8], name: Option<&str>, limits: Limits) -> Result<(Extracted, Vec<u8>), DocumentError> {
    let mut collector = Collector::default();
    let (format, unread) = collect(file, name, limits, &mut collector)?;
    Ok(collector.finish(format, unread))
}

/// Returns the document in its own format with these changes of its text and images.
pub fn rewrite(
    file: &[u8],
    name: Option<&str>,
    limits: Limits,
    rewrite: Rewrite,
) -> Result<Vec<u8>, DocumentError> {
    let mut collector = Collector::without_images();
    let (format, unread) = collect(file, name, limits, &mut collector)?;
    let (extracted, _) = collector.finish(format, unread);
    let mut rewriter = Rewriter::new(&extracted, rewrite);
    let mut walk = Walk::new(&mut rewriter, limits);
    Ok(walk_file(file, format, &mut walk)?.unwrap_or_else(|| file.to_vec()))
}

fn collect(
    file: &[u8],
    name: Option<&str>,
    limits: Limits,
    collector: &mut Collector,
) -> Result<(Format, u32), DocumentError> {
    let mut walk = Walk::new(collector, limits);
    let format = format::detect(file, name, &mut walk)?;
    walk_file(file, format, &mut walk)?;
    Ok((format, walk.unread))
}

/// A changed file; `None` if nothing changed.
type Changed = Option<Vec<u8>>;

/// Shows the texts of a file to the visitor and returns the file with its replacements.
fn walk_file(file: &[u8], format: Format, walk: &mut Walk<'_>) -> Result<Changed, DocumentError> {
    walk.check_time()?;
    match format {
        Format::Pdf => pdf::walk(file, walk),
        Format::Word | Format::Slides => office::walk(file, walk),
        Format::Sheet => sheet::walk(file, walk),
        Format::Html => html::walk(file, None, walk),
        Format::Email => email::walk(file, walk),
        Format::Archive => archive::walk(file, walk),
        Format::Text | Format::Csv | Format::Json => plain::walk(file, walk),
    }
}

/// Walks through a file within another one. A file that cannot be read is counted, not refused: the policy decides on what
/// was not read.
fn walk_nested(file: &[u8], name: Option<&str>, walk: &mut Walk<'_>) -> Result<Changed, DocumentError> {
    if file.is_empty() {
        return Ok(None);
    }
    if embedded::is_image(file) {
        return Ok(embedded::walk(file, walk));
    }
    if walk.depth == MAX_DEPTH {
        walk.unread += 1;
        return Ok(None);
    }
    let (outer, page) = (walk.depth, walk.page.take());
    walk.depth += 1;
    let changed = format::detect(file, name, walk).or_else(|_| format::detect(file, None, walk));
    let changed = changed.and_then(|format| walk_file(file, format, walk));
    (walk.depth, walk.page) = (outer, page);
    match changed {
        Err(DocumentError::Unreadable(_)) if !walk.is_exhausted() => {
            walk.unread += 1;
            Ok(None)
        }
        changed => changed,
    }
}
