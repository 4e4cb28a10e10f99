//! Evidence: what detectors know about a request.

use serde::{Deserialize, Serialize};

use crate::{
    deadline::Deadline,
    guardrail::Direction,
    inspection_times::InspectionTimes,
    pii::Entity,
    rules::{Rule, RuleMatch, RuleSet, WordHits},
    scores::Scores,
    sources::{Source, Sources},
    span::{CodePoints, Span},
    text::Text,
};

/// Source of a part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The prompt or the response.
    Subject,
    /// A retrieved document or tool result, by index.
    Document(usize),
    /// Text read from an image, by index.
    Image(usize),
    /// Transcript of an audio file.
    Audio,
    /// An earlier turn of the conversation, by index.
    Turn(usize, Author),
    /// Turns of the user before the subject, joined. They are only compared with.
    PriorTurns(Joined),
    /// Those turns and the subject, joined, so that an attack split over turns is found.
    PriorTurnsAndSubject(Joined),
}

/// The earlier turns that are joined with the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// The latest ones, for every guardrail.
    Latest,
    /// One that looks like an attack on the model, for the guardrails against those.
    Suspicious,
}

/// Author of an earlier turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// The user.
    User,
    /// The model.
    Model,
    /// A tool, whose result the turn is.
    Tool,
}

impl Origin {
    /// Whether the text was read from an image or transcribed.
    pub const fn is_media(self) -> bool {
        matches!(self, Self::Image(_) | Self::Audio)
    }

    /// Returns true for what was sent: the subject, or a text of media. Keywords count in it, and the log keeps it.
    pub const fn is_sent(self) -> bool {
        matches!(self, Self::Subject) || self.is_media()
    }

    /// Whether the text is untrusted content that the model reads, in which orders do not belong.
    pub const fn is_untrusted_content(self) -> bool {
        matches!(self, Self::Document(_) | Self::Image(_) | Self::Turn(_, Author::Tool))
    }

    /// Whether the text is a document or the result of a tool.
    pub const fn is_document(self) -> bool {
        matches!(self, Self::Document(_) | Self::Turn(_, Author::Tool))
    }

    /// Returns what policies call this source, in a request of this direction.
    pub const fn source(self, direction: Direction) -> Source {
        match (self, direction) {
            (Self::Subject, Direction::Input) => Source::Prompt,
            (Self::Subject, Direction::Output) => Source::Response,
            (Self::Document(_) | Self::Turn(_, Author::Tool), _) => Source::Documents,
            (Self::Image(_) | Self::Audio, _) => Source::Media,
            (
                Self::Turn(_, Author::User | Author::Model)
                | Self::PriorTurns(_)
                | Self::PriorTurnsAndSubject(_),
                _,
            ) => Source::History,
        }
    }

    /// Whether findings in this part are findings of this request.
    pub const fn is_evaluated(self) -> bool {
        matches!(self, Self::Subject | Self::Document(_) | Self::Turn(..)) || self.is_media()
    }
}

/// A span in API responses: code points of the original text, half-open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PublicSpan {
    /// First code point.
    pub start: usize,
    /// One past the last code point.
    pub end: usize,
    /// Index of the document the span points into; absent for the prompt or response itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub document: Option<usize>,
    /// Page, slide or sheet of the document, from 1; absent for texts without pages.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub page: Option<u32>,
    /// Index of the image whose text the span points into; absent elsewhere.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub image: Option<usize>,
    /// Index of the turn of the conversation that the span points into; absent elsewhere.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub turn: Option<usize>,
    /// Whether the span points into the transcript; absent elsewhere.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub transcript: bool,
    /// Index of the subject that the span belongs to; absent for a request with one subject.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub subject: Option<usize>,
}

impl CodePoints<'_> {
    /// Converts `span` of a text from `origin`.
    pub fn span(&mut self, span: Span, origin: Origin) -> PublicSpan {
        let start = self.at(span.start);
        let end = self.at(span.end);
        let mut public = PublicSpan {
            start,
            end,
            document: None,
            page: None,
            image: None,
            turn: None,
            transcript: false,
            subject: None,
        };
        match origin {
            Origin::Document(index) => public.document = Some(index),
            Origin::Image(index) => public.image = Some(index),
            Origin::Audio => public.transcript = true,
            Origin::Turn(index, _) => public.turn = Some(index),
            Origin::Subject | Origin::PriorTurns(_) | Origin::PriorTurnsAndSubject(_) => {}
        }
        public
    }
}

/// One text of a request.
#[derive(Debug)]
pub struct Part<'a> {
    /// Source of the text.
    pub origin: Origin,
    /// The text and its views.
    pub text: Text<'a>,
    hits: WordHits,
}

impl<'a> Part<'a> {
    /// Creates a part from a text and its source.
    pub fn new(origin: Origin, text: Text<'a>) -> Self {
        Self { origin, text, hits: WordHits::default() }
    }

    /// Returns the most precise match of each of a guardrail's `rules` in every view.
    pub(crate) fn rule_matches(
        &self,
        rule_set: &RuleSet,
        guardrail: &'static str,
        rules: &[Rule],
    ) -> Vec<RuleMatch> {
        rule_set.matches(&self.text, &self.hits, self.origin.is_untrusted_content(), guardrail, rules)
    }
}

/// Everything known about one request.
#[derive(Debug)]
#[non_exhaustive]
pub struct Evidence<'a> {
    /// Direction of the request.
    pub direction: Direction,
    /// The subject, followed by what was sent with it.
    pub parts: Vec<Part<'a>>,
    /// Entities in evaluated parts, parallel to `parts`. All PII types, found once for the detector, masks and logs.
    pub pii: Vec<Vec<Entity>>,
    /// Parts that are images and the probability that each shows sexual content, where a policy looks at images.
    pub sexual_images: Vec<(usize, f32)>,
    /// Scores of the classifiers; empty if no enabled guardrail needs them.
    pub scores: Scores,
    /// Limit on the time; none unless the caller sets one.
    pub deadline: Deadline,
    /// Times of the guardrails; not measured unless the caller passes a clock.
    pub times: InspectionTimes,
    /// Code points of turns that are no parts, because they were evaluated with an earlier request.
    pub known_characters: usize,
    /// True if something was sent that was not read, such as further frames of an image.
    pub has_unread: bool,
    /// Pages, images and entries of files that were not read.
    pub unread: u32,
}

impl<'a> Evidence<'a> {
    /// Creates the evidence of a request. `pii` has one list for each of `parts`.
    pub fn new(direction: Direction, parts: Vec<Part<'a>>, pii: Vec<Vec<Entity>>, scores: Scores) -> Self {
        debug_assert_eq!(parts.len(), pii.len(), "one list of entities for each part");
        let (deadline, times) = (Deadline::none(), InspectionTimes::default());
        let sexual_images = Vec::new();
        let (known_characters, has_unread, unread) = (0, false, 0);
        Self {
            direction,
            parts,
            pii,
            sexual_images,
            scores,
            deadline,
            times,
            known_characters,
            has_unread,
            unread,
        }
    }

    /// Iterates over the evaluated parts and their indices.
    pub fn evaluated(&self) -> impl Iterator<Item = (usize, &Part<'a>)> {
        self.parts.iter().enumerate().filter(|(_, part)| part.origin.is_evaluated())
    }

    /// Iterates over the evaluated parts from these sources and their indices.
    pub fn evaluated_from(&self, sources: Sources) -> impl Iterator<Item = (usize, &Part<'a>)> {
        self.evaluated().filter(move |(_, part)| sources.contains(part.origin.source(self.direction)))
    }
}
