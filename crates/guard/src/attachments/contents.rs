//! Attachments of a request (images and audio), and the text read from them.

use std::ops::Range;

use bytes::Bytes;
use guardengine_engine::{evidence::Origin, pii::Entity, span::Span, text::Text};
use guardengine_media::{AlternativeReading, Face, LocatedText, OcrResult, Rect, TimeSpan};
use uuid::Uuid;

use super::{DocumentFile, ImageFile, misread_numbers};
use crate::jobs::StoredAudio;

/// Images, audio and documents of a request.
#[derive(Clone, Debug, Default)]
pub struct Attachments {
    /// Images, in order.
    pub images: Vec<ImageFile>,
    /// Documents, in order.
    pub documents: Vec<DocumentFile>,
    /// Audio file.
    pub audio: Option<Audio>,
    /// Connector requested for transcription.
    pub transcribed_by: Option<Uuid>,
}

/// An audio file.
#[derive(Clone, Debug)]
pub enum Audio {
    /// Contents that came with the call.
    Upload(Bytes),
    /// File of a job.
    Stored(StoredAudio),
}

/// The transcript of audio.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// Text with the time of each word.
    pub passage: LocatedText<TimeSpan>,
    /// Duration of the audio in seconds.
    pub duration: f32,
    /// Engine or connector type, with the model.
    pub recognizer: String,
    /// Inaccuracy of the word times, in seconds.
    pub margin: f32,
    /// Language (ISO 639-1), if detected.
    pub language: Option<String>,
}

/// The PII type of faces.
pub const FACE: &str = "face";

/// Text and faces of an image, and what it shows.
#[derive(Clone, Debug, Default)]
pub struct ImageText {
    /// Text with the place of each word.
    pub passage: LocatedText<Rect>,
    /// Faces, with the place of each in the text.
    pub faces: Vec<(Range<usize>, Face)>,
    /// Probability that it shows sexual content, if the policy looks at images.
    pub nsfw: Option<f32>,
}

impl From<OcrResult> for ImageText {
    fn from(read: OcrResult) -> Self {
        let passage = read.located_text();
        let faces = read.placed_faces(&passage);
        Self { passage, faces, nsfw: read.nsfw }
    }
}

impl ImageText {
    /// Returns the faces as entities of a text in which that of the image starts at byte `offset`.
    pub(super) fn faces(&self, offset: usize) -> impl Iterator<Item = Entity> {
        self.faces.iter().map(move |(Range { start, end }, face)| Entity {
            kind: FACE.into(),
            span: Span::new(offset + start, offset + end),
            confidence: face.confidence,
            value: self.passage.text[*start..*end].to_owned(),
            transforms: Vec::new(),
        })
    }
}

/// Text read from an attachment.
#[derive(Clone, Debug)]
pub enum MediaText {
    /// Text of the image with this index.
    Image(usize, ImageText),
    /// Transcript of the audio.
    Speech(Transcript),
}

impl MediaText {
    /// Returns the origin of the text.
    pub const fn origin(&self) -> Origin {
        match self {
            Self::Image(index, _) => Origin::Image(*index),
            Self::Speech(_) => Origin::Audio,
        }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        match self {
            Self::Image(_, image) => &image.passage.text,
            Self::Speech(transcript) => &transcript.passage.text,
        }
    }

    /// Returns the probability that an image shows sexual content, if that was looked for.
    pub const fn nsfw(&self) -> Option<f32> {
        match self {
            Self::Image(_, image) => image.nsfw,
            Self::Speech(_) => None,
        }
    }

    fn readings(&self) -> &[AlternativeReading] {
        match self {
            Self::Image(_, image) => &image.passage.readings,
            Self::Speech(transcript) => &transcript.passage.readings,
        }
    }

    /// Returns the PII that `find` finds in the text and in its alternative readings, and faces. Entities found only in an
    /// alternative reading have the span of their source in the text.
    pub fn find_pii(&self, text: &Text<'_>, find: impl Fn(&Text<'_>) -> Vec<Entity>) -> Vec<Entity> {
        let mut all = find(text);
        find_in_readings(&mut all, self.readings(), 0, &find);
        if let Self::Image(_, image) = self {
            all.extend(image.faces(0));
        }
        all.sort_by_key(|found| found.span);
        all
    }
}

/// Adds the entities that are found only in alternative readings of a text that starts at byte `offset`.
pub(super) fn find_in_readings(
    all: &mut Vec<Entity>,
    readings: &[AlternativeReading],
    offset: usize,
    find: &impl Fn(&Text<'_>) -> Vec<Entity>,
) {
    for reading in readings {
        let misread = misread_numbers::find(&reading.text);
        for found in find(&Text::new(&reading.text)).into_iter().chain(misread) {
            let Range { start, end } = reading.origin(found.span.start..found.span.end);
            let span = Span::new(offset + start, offset + end);
            let is_new =
                |known: &Entity| !(known.span.overlaps(span) && known.confidence >= found.confidence);
            if all.iter().all(is_new) {
                all.push(Entity { span, ..found });
            }
        }
    }
}
