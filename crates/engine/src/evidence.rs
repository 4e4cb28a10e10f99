//! What detectors may look at.

use crate::{detectors::cues::Marks, guardrail::Direction, pii::Found, scores::Scores, text::Text};

/// Where a part of a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The prompt or the response that is to be judged.
    Subject,
    /// A retrieved document or tool result, by index.
    Document(usize),
    /// Text read from an image, by index.
    Image(usize),
    /// Text heard in a recording.
    Speech,
    /// The untrusted turns before the subject, joined. Judged before, so only there to be compared with.
    Earlier,
    /// Those turns and the subject, joined: an attack split over turns shows here.
    Conversation,
}

impl Origin {
    /// Whether it was read from an image, or heard in a recording.
    pub const fn is_media(self) -> bool {
        matches!(self, Self::Image(_) | Self::Speech)
    }

    /// Whether the model is given it to read: nobody has business to give it orders there.
    pub const fn is_given(self) -> bool {
        matches!(self, Self::Document(_) | Self::Image(_))
    }

    /// Whether findings in this part are findings about this request.
    pub const fn is_judged(self) -> bool {
        matches!(self, Self::Subject | Self::Document(_)) || self.is_media()
    }
}

/// One text of a request.
#[derive(Debug)]
pub struct Part<'a> {
    /// Where it comes from.
    pub origin: Origin,
    /// The text and its views.
    pub text: Text<'a>,
    /// Words of the guardrails' rules in it.
    pub(crate) marks: Marks,
}

impl<'a> Part<'a> {
    /// A text from `origin`.
    pub fn new(origin: Origin, text: Text<'a>) -> Self {
        Self { origin, text, marks: Marks::default() }
    }
}

/// All that is known about one request.
#[derive(Debug)]
pub struct Evidence<'a> {
    /// Which way the text goes.
    pub direction: Direction,
    /// The subject first, then whatever came with it.
    pub parts: Vec<Part<'a>>,
    /// Personal data found in judged parts, parallel to `parts`; every kind, found once for the detector, masks and logs.
    pub pii: Vec<Vec<Found>>,
    /// What the classifiers said; empty when no enabled guardrail needs them.
    pub scores: Scores,
}

impl<'a> Evidence<'a> {
    /// The judged parts with their indices.
    pub fn judged(&self) -> impl Iterator<Item = (usize, &Part<'a>)> {
        self.parts.iter().enumerate().filter(|(_, part)| part.origin.is_judged())
    }
}
