//! Documents of a request: files whose text is evaluated, and the changes that mask them.

use std::ops::Range;

use bytes::Bytes;
use guardengine_engine::{
    evidence::{Origin, PublicSpan},
    pii::{Entity, mask::Replacement},
    span::{CodePoints, Span},
    text::Text,
};
use guardengine_media::{Edit, Extracted, Rewrite, Role, Segment};

use super::contents::{ImageText, find_in_readings};

/// A file whose text is evaluated.
#[derive(Clone, Debug)]
pub struct DocumentFile {
    /// Field of the request that contained it, for error messages.
    pub field: String,
    /// Name of the file. Its ending must fit the contents.
    pub name: Option<String>,
    /// Contents of the file.
    pub bytes: Bytes,
    /// Text of the submission that the file's text becomes: the subject, or a document.
    pub origin: Origin,
}

/// The text of a document that was read.
#[derive(Clone, Debug)]
pub struct ReadDocument {
    /// Text of the submission that it became.
    pub origin: Origin,
    /// Text of the file, followed by those of its images.
    pub extracted: Extracted,
    /// Length of the text without that of images, in bytes.
    file_text: usize,
    /// Each image's start in the text, and its text.
    images: Vec<(usize, ImageText)>,
}

impl ReadDocument {
    /// Creates a document whose images are not read yet. Segments that do not fit the text are dropped: workers are not
    /// trusted.
    pub fn new(origin: Origin, mut extracted: Extracted) -> Self {
        let text = &extracted.text;
        let mut end = 0;
        extracted.segments.retain(|segment| {
            let fits = segment.span.start >= end && text.get(segment.span.clone()).is_some();
            end = if fits { segment.span.end } else { end };
            fits
        });
        let file_text = extracted.text.len();
        Self { origin, extracted, file_text, images: Vec::new() }
    }

    /// Adds the text of the next image; `None` if it was not read.
    pub fn add_image(&mut self, image: Option<ImageText>) {
        let image = image.unwrap_or_else(|| {
            self.extracted.unread = self.extracted.unread.saturating_add(1);
            ImageText::default()
        });
        let text = &image.passage.text;
        let page = self.extracted.images.get(self.images.len()).and_then(|image| image.page);
        if !text.is_empty() {
            self.extracted.text.push_str("\n\n");
        }
        let start = self.extracted.text.len();
        self.extracted.text.push_str(text);
        let span = start..self.extracted.text.len();
        self.extracted.segments.push(Segment { span, role: Role::Image, page });
        self.images.push((start, image));
    }

    /// Returns the probability that one of the images shows sexual content, if that was looked for.
    pub(crate) fn nsfw(&self) -> Option<f32> {
        self.images.iter().filter_map(|(_, image)| image.nsfw).max_by(f32::total_cmp)
    }

    /// Returns the entities of images that are not in the text: faces, and those found only in alternative readings.
    pub(crate) fn find_in_images(
        &self,
        known: &[Entity],
        find: impl Fn(&Text<'_>) -> Vec<Entity>,
    ) -> Vec<Entity> {
        let mut all = known.to_vec();
        for (start, image) in &self.images {
            find_in_readings(&mut all, &image.passage.readings, *start, &find);
            all.extend(image.faces(*start));
        }
        all.split_off(known.len())
    }

    /// Returns the changes of the file that these replacements in its text ask for.
    pub fn rewrite(&self, replacements: &[Replacement]) -> Rewrite {
        let edit = |replacement: &Replacement| Edit {
            span: replacement.span.start..replacement.span.end.min(self.file_text),
            text: replacement.text.clone(),
        };
        let edits = replacements.iter().map(edit).filter(|edit| edit.span.start < self.file_text).collect();
        let areas = |(start, image): &(usize, ImageText)| {
            let end = start + image.passage.text.len();
            let inside = replacements.iter().filter_map(|one| shared(one.span, *start..end));
            inside.flat_map(|range| image.passage.areas(range.start - start..range.end - start)).collect()
        };
        Rewrite { edits, areas: self.images.iter().map(areas).collect() }
    }

    /// Returns the segment that a byte of the text is in.
    pub fn segment_at(&self, byte: usize) -> Option<&Segment> {
        self.extracted.segment_at(byte)
    }

    /// Adds the pages of spans that point into this document.
    pub(crate) fn add_pages<'s>(&self, spans: impl Iterator<Item = &'s mut PublicSpan>) {
        let mut points = CodePoints::new(&self.extracted.text);
        let starts: Vec<_> =
            self.extracted.segments.iter().map(|one| (points.at(one.span.start), one.page)).collect();
        for span in spans.filter(|span| self.contains(span)) {
            let next = starts.partition_point(|(start, _)| *start <= span.start);
            span.page = next.checked_sub(1).and_then(|at| starts[at].1);
        }
    }

    fn contains(&self, span: &PublicSpan) -> bool {
        match self.origin {
            Origin::Document(at) => span.document == Some(at),
            _ => span.document.is_none() && span.image.is_none() && span.turn.is_none() && !span.transcript,
        }
    }
}

/// Returns the bytes that two ranges share.
fn shared(span: Span, range: Range<usize>) -> Option<Range<usize>> {
    let (start, end) = (span.start.max(range.start), span.end.min(range.end));
    (start < end).then_some(start..end)
}
