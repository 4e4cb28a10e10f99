//! What is handed in to be judged.

use guardengine_engine::{
    Evidence,
    evidence::{Origin, Part},
    guardrail::Direction,
    pii,
    scores::Scores,
    text::Text,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::media::MediaText;

/// Who said a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The operator; trusted.
    System,
    /// The end user.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    Tool,
}

/// An earlier turn of the conversation.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Turn {
    /// Who said it.
    pub role: Role,
    /// What was said.
    pub content: String,
}

/// A prompt or response with what came with it.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Which way it goes.
    pub direction: Direction,
    /// The prompt or the response.
    pub subject: String,
    /// Retrieved or tool text that the model will read.
    pub documents: Vec<String>,
    /// What was read of pictures and recordings.
    pub media: Vec<MediaText>,
    /// Earlier turns, oldest first. They were judged when they were new: they only help to see an attack that is
    /// split over turns.
    pub history: Vec<Turn>,
}

/// An attack that is split over turns is looked for in that many bytes before the subject.
const LOOK_BACK: usize = 8 * 1024;

impl Submission {
    /// A subject alone.
    pub const fn of(direction: Direction, subject: String) -> Self {
        Self { direction, subject, documents: Vec::new(), media: Vec::new(), history: Vec::new() }
    }

    /// Bytes of everything that is read.
    pub fn bytes(&self) -> usize {
        let documents: usize = self.documents.iter().map(String::len).sum();
        let turns: usize = self.history.iter().map(|turn| turn.content.len()).sum();
        let media: usize = self.media.iter().map(|medium| medium.text().len()).sum();
        self.subject.len() + documents + media + turns
    }

    /// The user's latest turns before the subject, joined; empty for a response.
    pub fn earlier(&self) -> String {
        if self.direction == Direction::Output {
            return String::new();
        }
        let mut length = 0;
        let is_near = |turn: &&Turn| {
            length += turn.content.len();
            length <= LOOK_BACK
        };
        let users = self.history.iter().rev().filter(|turn| turn.role == Role::User);
        let mut turns: Vec<&str> = users.take_while(is_near).map(|turn| turn.content.as_str()).collect();
        turns.reverse();
        turns.join(" ")
    }

    /// The evidence, without scores. `earlier` and `joined` are [`Submission::earlier`] alone and before the subject.
    pub fn evidence<'a>(&'a self, earlier: &'a str, joined: &'a str) -> Evidence<'a> {
        let part = |origin, text: &'a str| Part::new(origin, Text::new(text));
        let mut parts = vec![part(Origin::Subject, &self.subject)];
        parts.extend(self.documents.iter().enumerate().map(|(at, text)| part(Origin::Document(at), text)));
        parts.extend(self.media.iter().map(|medium| part(medium.origin(), medium.text())));
        if !earlier.is_empty() {
            parts.push(part(Origin::Earlier, earlier));
            parts.push(part(Origin::Conversation, joined));
        }
        let find = |part: &Part<'_>| match self.media.iter().find(|medium| medium.origin() == part.origin) {
            Some(medium) => medium.personal(&part.text),
            None if part.origin.is_judged() => pii::find_all(&part.text),
            None => Vec::new(),
        };
        let pii = parts.iter().map(find).collect();
        Evidence { direction: self.direction, parts, pii, scores: Scores::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(role: Role, content: &str) -> Turn {
        Turn { role, content: content.to_owned() }
    }

    #[test]
    fn only_the_users_near_turns_are_looked_back_at() {
        let mut submission = Submission::of(Direction::Input, "now".to_owned());
        submission.history = vec![
            turn(Role::User, &"far ".repeat(LOOK_BACK / 4)),
            turn(Role::System, "trusted"),
            turn(Role::User, "first"),
            turn(Role::Assistant, "answer"),
            turn(Role::User, "second"),
        ];
        assert_eq!(submission.earlier(), "first second");
    }
}
