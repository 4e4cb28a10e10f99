//! Places of a foreign request's texts in a submission, and the results there.

use guardengine_engine::{evidence::PublicSpan, guardrail::Direction};
use guardengine_guard::{
    evaluate::Evaluation,
    submission::{Role, Submission, Turn},
};

/// Place of a text in a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A subject.
    Subject(usize),
    /// A turn of the conversation.
    Turn(usize),
    /// A document.
    Document(usize),
}

/// A submission, and the place of each text in it.
#[derive(Debug)]
pub struct Conversation {
    /// The texts to evaluate.
    pub submission: Submission,
    /// The place of each text, in their order.
    pub places: Vec<Place>,
}

impl Conversation {
    /// Returns a conversation. Its subject is the last text of the user, or of the model for responses; every other text
    /// is a turn. Turns that are known are evaluated again: clients of other products pass on whatever is not blocked.
    pub fn of<'t>(direction: Direction, texts: impl IntoIterator<Item = (Role, &'t str)>) -> Self {
        let texts: Vec<_> = texts.into_iter().collect();
        let author = match direction {
            Direction::Input => Role::User,
            Direction::Output => Role::Assistant,
        };
        let subject = texts.iter().rposition(|(role, _)| *role == author);
        let mut submission = Submission::of(direction, String::new());
        submission.repeats_known_turns = true;
        let mut places = Vec::with_capacity(texts.len());
        for (at, (role, text)) in texts.into_iter().enumerate() {
            if Some(at) == subject {
                text.clone_into(&mut submission.subject);
                places.push(Place::Subject(0));
            } else {
                places.push(Place::Turn(submission.history.len()));
                submission.history.push(Turn::new(role, text.to_owned()));
            }
        }
        Self { submission, places }
    }

    /// Returns texts that have nothing to do with each other.
    pub fn of_subjects(direction: Direction, texts: &[&str]) -> Self {
        let subjects = texts.iter().map(|text| (*text).to_owned()).collect();
        let mut submission = Submission::of_several(direction, subjects);
        submission.repeats_known_turns = true;
        Self { submission, places: (0..texts.len()).map(Place::Subject).collect() }
    }

    /// Returns untrusted content that a model will read.
    pub fn of_documents(texts: &[&str]) -> Self {
        let documents = texts.iter().map(|text| (*text).to_owned()).collect();
        let submission = Submission { documents, ..Submission::of(Direction::Input, String::new()) };
        Self { submission, places: (0..texts.len()).map(Place::Document).collect() }
    }
}

impl Place {
    /// Returns the text at this place.
    pub fn text(self, submission: &Submission) -> &str {
        match self {
            Self::Subject(0) => &submission.subject,
            Self::Subject(at) => &submission.further[at - 1],
            Self::Turn(at) => &submission.history[at].content,
            Self::Document(at) => &submission.documents[at],
        }
    }

    /// Returns the masked text at this place; `None` if nothing is masked there.
    pub fn masked(self, evaluation: &Evaluation) -> Option<&str> {
        match self {
            Self::Subject(at) if !evaluation.subjects.is_empty() => evaluation.subjects[at].masked.as_deref(),
            Self::Subject(_) => evaluation.masked.as_deref(),
            Self::Turn(at) => {
                let turn = evaluation.masked_turns.iter().find(|turn| turn.turn == at);
                turn.map(|turn| turn.content.as_str())
            }
            Self::Document(at) => evaluation.masked_documents.as_ref()?.get(at).map(String::as_str),
        }
    }

    /// Returns the place of a span; `None` in an image or a transcript.
    pub fn of(span: &PublicSpan) -> Option<Self> {
        match (span.turn, span.document, span.image) {
            (Some(turn), ..) => Some(Self::Turn(turn)),
            (_, Some(document), _) => Some(Self::Document(document)),
            (None, None, None) if !span.transcript => Some(Self::Subject(span.subject.unwrap_or(0))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TALK: [(Role, &str); 5] = [
        (Role::System, "be kind"),
        (Role::User, "one"),
        (Role::Assistant, "two"),
        (Role::User, "three"),
        (Role::Tool, "four"),
    ];

    #[test]
    fn the_subject_is_the_last_text_of_who_is_guarded() {
        for (direction, subject) in [(Direction::Input, "three"), (Direction::Output, "two")] {
            let Conversation { submission, places } = Conversation::of(direction, TALK);
            assert_eq!((submission.subject.as_str(), submission.history.len()), (subject, 4));
            assert!(TALK.iter().zip(&places).all(|((_, text), place)| place.text(&submission) == *text));
            assert!(submission.repeats_known_turns);
        }
    }

    #[test]
    fn a_span_leads_to_its_place() {
        let span = PublicSpan {
            start: 0,
            end: 1,
            document: None,
            page: None,
            image: None,
            turn: None,
            transcript: false,
            subject: None,
        };
        assert_eq!(Place::of(&span), Some(Place::Subject(0)));
        assert_eq!(Place::of(&PublicSpan { subject: Some(2), ..span }), Some(Place::Subject(2)));
        assert_eq!(Place::of(&PublicSpan { turn: Some(3), ..span }), Some(Place::Turn(3)));
        assert_eq!(Place::of(&PublicSpan { document: Some(1), ..span }), Some(Place::Document(1)));
        assert_eq!(Place::of(&PublicSpan { image: Some(1), ..span }), None);
        assert_eq!(Place::of(&PublicSpan { transcript: true, ..span }), None);
    }
}
