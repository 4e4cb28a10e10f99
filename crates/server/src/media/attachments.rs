//! What comes with a request beside text, before and after it is read.

use std::ops::Range;

use axum::body::Bytes;
use guardengine_engine::{
    evidence::Origin,
    pii::{self, Found},
    span::Span,
    text::Text,
};
use guardengine_media::{AlternativeReading, LocatedText, Rect, TimeSpan};
use uuid::Uuid;

use super::{Picture, misread_numbers};

/// What comes with a request.
#[derive(Clone, Debug, Default)]
pub struct Attachments {
    /// Pictures.
    pub pictures: Vec<Picture>,
    /// A recording.
    pub recording: Option<Bytes>,
    /// The connector that is asked to transcribe it, where one is named.
    pub transcribed_by: Option<Uuid>,
}

/// What was heard in a recording.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The words.
    pub passage: LocatedText<TimeSpan>,
    /// Seconds.
    pub duration: f32,
    /// Who heard them, with the model.
    pub recognizer: String,
    /// Seconds by which a word may be said before or after its place.
    pub margin: f32,
    /// The language (ISO 639-1), where the recogniser knows.
    pub language: Option<String>,
}

/// What was read of something attached.
#[derive(Clone, Debug)]
pub enum MediaText {
    /// The words of a picture, by its index.
    Image(usize, LocatedText<Rect>),
    /// Those of a recording.
    Speech(Transcript),
}

impl MediaText {
    /// Where its text comes from.
    pub const fn origin(&self) -> Origin {
        match self {
            Self::Image(index, _) => Origin::Image(*index),
            Self::Speech(_) => Origin::Speech,
        }
    }

    /// Its text.
    pub fn text(&self) -> &str {
        match self {
            Self::Image(_, passage) => &passage.text,
            Self::Speech(transcript) => &transcript.passage.text,
        }
    }

    fn readings(&self) -> &[AlternativeReading] {
        match self {
            Self::Image(_, passage) => &passage.readings,
            Self::Speech(transcript) => &transcript.passage.readings,
        }
    }

    /// Personal data in it, whichever way it is read: the text as it stands first, then what only shows in another
    /// reading, where it came from in the text.
    pub fn personal(&self, text: &Text<'_>) -> Vec<Found> {
        let mut all = pii::find_all(text);
        for reading in self.readings() {
            let by_form = misread_numbers::found(&reading.text);
            for found in pii::find_all(&Text::new(&reading.text)).into_iter().chain(by_form) {
                let Range { start, end } = reading.origin(found.span.start..found.span.end);
                let span = Span::new(start, end);
                let is_new =
                    |known: &Found| !(known.span.overlaps(span) && known.confidence >= found.confidence);
                if all.iter().all(is_new) {
                    all.push(Found { span, ..found });
                }
            }
        }
        all.sort_by_key(|found| found.span);
        all
    }
}
