//! The walk through a document: one traversal reads and rewrites, so that both see the same segments.

use std::{ops::Range, time::Instant};

use super::{
    DocumentError, Limits,
    limits::{MAX_ENTRIES, MAX_IMAGES, MAX_TEXT, MAX_UNPACKED},
};
use crate::{DocumentImage, Edit, Extracted, Format, Rect, Rewrite, Role, Segment};

/// Shortest value that is replaced wherever it occurs once it is masked at one place.
const MIN_VALUE: usize = 6;

/// Receiver of the texts and images of a document, in order.
pub(super) trait Visitor {
    /// Returns the replacements in a text.
    fn text(&mut self, text: &str, role: Role, page: Option<u32>) -> Result<Vec<Edit>, DocumentError>;
    /// Adds a separator to the text.
    fn separate(&mut self, separator: &str);
    /// Returns the areas to black out in an image.
    fn image(&mut self, file: &[u8], page: Option<u32>) -> Vec<Rect>;
    /// Returns true if it needs the contents of images.
    fn needs_images(&self) -> bool;
}

/// State of a walk: what is allowed still, and where it is.
pub(super) struct Walk<'v> {
    visitor: &'v mut dyn Visitor,
    /// Page, slide or sheet, from 1.
    pub page: Option<u32>,
    /// Levels of files around this one.
    pub depth: usize,
    /// Accepted number of pixels of an image.
    pub pixels: u64,
    /// Pages, images and entries that were not read.
    pub unread: u32,
    deadline: Instant,
    unpacked: usize,
    entries: usize,
    images: usize,
    is_exhausted: bool,
}

impl<'v> Walk<'v> {
    pub fn new(visitor: &'v mut dyn Visitor, limits: Limits) -> Self {
        Self {
            visitor,
            page: None,
            depth: 0,
            pixels: limits.pixels,
            unread: 0,
            deadline: Instant::now() + limits.time,
            unpacked: 0,
            entries: 0,
            images: 0,
            is_exhausted: false,
        }
    }

    /// Returns true if a limit of the whole document is reached: it is refused then, not only the file within it.
    pub const fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Returns the replacements in a text. Blank texts are skipped.
    pub fn text(&mut self, text: &str, role: Role) -> Result<Vec<Edit>, DocumentError> {
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        let edits = self.visitor.text(text, role, self.page);
        self.is_exhausted |= edits.is_err();
        edits
    }

    /// Adds a separator to the text.
    pub fn separate(&mut self, separator: &str) {
        self.visitor.separate(separator);
    }

    /// Returns the areas to black out in an image. Images beyond the limit are not read.
    pub fn image(&mut self, file: &[u8]) -> Vec<Rect> {
        if self.images == MAX_IMAGES {
            self.unread += 1;
            return Vec::new();
        }
        self.images += 1;
        self.visitor.image(file, self.page)
    }

    /// Returns true if the contents of images are needed.
    pub fn needs_images(&self) -> bool {
        self.visitor.needs_images()
    }

    /// Returns an error when the time is over.
    pub fn check_time(&self) -> Result<(), DocumentError> {
        if Instant::now() < self.deadline { Ok(()) } else { Err(DocumentError::TimedOut) }
    }

    /// Counts entries of an archive.
    pub fn enter(&mut self, entries: usize) -> Result<(), DocumentError> {
        self.entries = self.entries.saturating_add(entries);
        if self.entries > MAX_ENTRIES {
            self.is_exhausted = true;
            return Err(DocumentError::too_many_entries());
        }
        Ok(())
    }

    /// Returns the bytes that may be unpacked still.
    pub const fn may_unpack(&self) -> usize {
        MAX_UNPACKED - self.unpacked
    }

    /// Counts unpacked bytes.
    pub fn unpack(&mut self, bytes: usize) -> Result<(), DocumentError> {
        if bytes > self.may_unpack() {
            self.is_exhausted = true;
            return Err(DocumentError::too_large(format!("more than {} MiB unpacked", MAX_UNPACKED >> 20)));
        }
        self.unpacked += bytes;
        Ok(())
    }
}

/// Collects the text and the images.
#[derive(Default)]
pub(super) struct Collector {
    text: String,
    segments: Vec<Segment>,
    images: Vec<DocumentImage>,
    files: Vec<u8>,
    skips_images: bool,
}

impl Collector {
    pub fn without_images() -> Self {
        Self { skips_images: true, ..Self::default() }
    }

    pub fn finish(self, format: Format, unread: u32) -> (Extracted, Vec<u8>) {
        let Self { text, segments, images, files, .. } = self;
        (Extracted { format, text, segments, images, unread }, files)
    }
}

impl Visitor for Collector {
    fn text(&mut self, text: &str, role: Role, page: Option<u32>) -> Result<Vec<Edit>, DocumentError> {
        if self.text.len() + text.len() > MAX_TEXT {
            return Err(DocumentError::too_large(format!("more than {} MiB of text", MAX_TEXT >> 20)));
        }
        let continues = self.segments.last().is_none_or(|last| last.role == role && last.page == page);
        if !continues {
            self.text.push_str("\n\n");
        } else if !self.text.is_empty() && !self.text.ends_with(['\n', '\t']) {
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.segments.push(Segment { span: start..self.text.len(), role, page });
        Ok(Vec::new())
    }

    fn separate(&mut self, separator: &str) {
        if self.text.len() + separator.len() <= MAX_TEXT {
            self.text.push_str(separator);
        }
    }

    fn image(&mut self, file: &[u8], page: Option<u32>) -> Vec<Rect> {
        self.files.extend_from_slice(file);
        self.images.push(DocumentImage { length: file.len(), page });
        Vec::new()
    }

    fn needs_images(&self) -> bool {
        !self.skips_images
    }
}

/// Answers with the replacements of each segment, and with those of its values that occur elsewhere too: what is masked at
/// one place remains nowhere in the file.
pub(super) struct Rewriter {
    segments: std::vec::IntoIter<Vec<Edit>>,
    areas: std::vec::IntoIter<Vec<Rect>>,
    values: Vec<Edit>,
    originals: Vec<String>,
}

impl Rewriter {
    /// Creates the visitor that changes a document with this text.
    pub fn new(extracted: &Extracted, rewrite: Rewrite) -> Self {
        let mut segments = vec![Vec::new(); extracted.segments.len()];
        let mut values: Vec<(String, Edit)> = Vec::new();
        for edit in rewrite.edits {
            let Some(original) = extracted.text.get(edit.span.clone()) else { continue };
            if original.len() >= MIN_VALUE && !values.iter().any(|(known, _)| known == original) {
                values.push((original.to_owned(), edit.clone()));
            }
            distribute(extracted, &edit, &mut segments);
        }
        // Longer values first, so that none is replaced within another.
        values.sort_by_key(|(original, _)| std::cmp::Reverse(original.len()));
        let (originals, values) = values.into_iter().unzip();
        Self { segments: segments.into_iter(), areas: rewrite.areas.into_iter(), values, originals }
    }

    /// Adds the replacements of values at other places of the text.
    fn add_values(&self, text: &str, edits: &mut Vec<Edit>) {
        for (original, edit) in self.originals.iter().zip(&self.values) {
            for (start, _) in text.match_indices(original) {
                let span = start..start + original.len();
                let is_free = edits.iter().all(|known| !overlaps(&known.span, &span));
                if is_free && is_whole(text, &span) {
                    edits.push(Edit { span, text: edit.text.clone() });
                }
            }
        }
        edits.sort_by_key(|edit| edit.span.start);
    }
}

impl Visitor for Rewriter {
    fn text(&mut self, text: &str, _: Role, _: Option<u32>) -> Result<Vec<Edit>, DocumentError> {
        let mut edits = self.segments.next().unwrap_or_default();
        self.add_values(text, &mut edits);
        Ok(edits)
    }

    fn separate(&mut self, _: &str) {}

    fn image(&mut self, _: &[u8], _: Option<u32>) -> Vec<Rect> {
        self.areas.next().unwrap_or_default()
    }

    fn needs_images(&self) -> bool {
        false
    }
}

/// Splits an edit over the segments that it covers: the first gets the new text, the others lose theirs.
fn distribute(extracted: &Extracted, edit: &Edit, segments: &mut [Vec<Edit>]) {
    let first = extracted.segments.partition_point(|segment| segment.span.end <= edit.span.start);
    let covered = extracted.segments[first..].iter().zip(&mut segments[first..]);
    let covered = covered.take_while(|(segment, _)| segment.span.start < edit.span.end);
    for (at, (segment, edits)) in covered.enumerate() {
        let start = edit.span.start.max(segment.span.start) - segment.span.start;
        let end = edit.span.end.min(segment.span.end) - segment.span.start;
        let text = if at == 0 { edit.text.clone() } else { String::new() };
        edits.push(Edit { span: start..end, text });
    }
}

fn overlaps(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Returns true unless a letter or digit continues the value on either side.
fn is_whole(text: &str, span: &Range<usize>) -> bool {
    let before = text[..span.start].chars().next_back();
    let after = text[span.end..].chars().next();
    !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
}

/// Applies replacements to a text.
pub(super) fn apply(text: &str, edits: &[Edit]) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits.iter().filter(|edit| text.get(edit.span.clone()).is_some()) {
        if edit.span.start < at {
            continue;
        }
        changed.push_str(&text[at..edit.span.start]);
        changed.push_str(&edit.text);
        at = edit.span.end;
    }
    changed.push_str(&text[at..]);
    changed
}
