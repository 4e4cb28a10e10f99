//! The texts of a guard call: subject, documents, media and conversation history.

use guardengine_engine::{
    Evidence,
    deadline::Deadline,
    evidence::{Author, Joined, Origin, Part},
    guardrail::Direction,
    pii::Entity,
    scores::Scores,
    text::Text,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    attachments::{MediaText, ReadDocument},
    split_turns::Suspicion,
};

/// The author of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The operator; trusted.
    System,
    /// The end user.
    User,
    /// The model.
    Assistant,
    /// A tool; the turn is its result.
    Tool,
}

/// A previous turn of the conversation.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Turn {
    /// Author of the turn.
    pub role: Role,
    /// Text of the turn.
    pub content: String,
    /// Suspicion of this text if it was evaluated before. Such a turn of the user is not evaluated again.
    #[serde(skip)]
    pub known: Option<Suspicion>,
}

impl Turn {
    /// Creates a turn that was never evaluated.
    pub const fn new(role: Role, content: String) -> Self {
        Self { role, content, known: None }
    }

    /// Returns the author if the turn is to be evaluated. What a tool said is untrusted content and evaluated as documents
    /// are; what the model said, where the policy guards responses.
    fn evaluated_author(&self, guards_responses: bool) -> Option<Author> {
        match self.role {
            Role::System => None,
            Role::User => self.known.is_none().then_some(Author::User),
            Role::Assistant => guards_responses.then_some(Author::Model),
            Role::Tool => Some(Author::Tool),
        }
    }
}

/// A prompt or response with the texts that accompany it.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Input for prompts, output for responses.
    pub direction: Direction,
    /// The prompt or the response.
    pub subject: String,
    /// Further prompts or responses of the same call. Each is evaluated by itself: what was sent with the call belongs to
    /// the first one.
    pub further: Vec<String>,
    /// Untrusted content: retrieved or tool text that the model will read.
    pub documents: Vec<String>,
    /// Texts of images and audio.
    pub media: Vec<MediaText>,
    /// Documents that were read from files. Their texts are among the others.
    pub files: Vec<ReadDocument>,
    /// Previous turns, oldest first.
    pub history: Vec<Turn>,
    /// True if something was sent that was not read, such as further frames of an image or an image at an address.
    pub has_unread: bool,
    /// True if turns that are known are evaluated again. Set where the caller passes all turns on to the model, so that
    /// their personal data is masked in each call, and what was blocked once stays blocked.
    pub repeats_known_turns: bool,
}

/// Bytes of previous turns in which an attack split over turns is detected.
const MAX_PRIOR_BYTES: usize = 8 * 1024;

impl Submission {
    /// Creates a submission with a subject only.
    pub const fn of(direction: Direction, subject: String) -> Self {
        Self {
            direction,
            subject,
            further: Vec::new(),
            documents: Vec::new(),
            media: Vec::new(),
            files: Vec::new(),
            history: Vec::new(),
            has_unread: false,
            repeats_known_turns: false,
        }
    }

    /// Creates a submission of several subjects that have nothing to do with each other. Without any, the subject is
    /// empty.
    pub fn of_several(direction: Direction, subjects: Vec<String>) -> Self {
        let mut subjects = subjects.into_iter();
        let first = Self::of(direction, subjects.next().unwrap_or_default());
        Self { further: subjects.collect(), ..first }
    }

    /// Puts the texts of the files where they are evaluated.
    pub(crate) fn take_texts_of_files(&mut self) {
        for file in &self.files {
            let text = match file.origin {
                Origin::Document(at) => self.documents.get_mut(at),
                _ => Some(&mut self.subject),
            };
            if let Some(text) = text {
                text.clone_from(&file.extracted.text);
            }
        }
    }

    /// Returns the total size of all texts, in bytes.
    pub fn bytes(&self) -> usize {
        let documents: usize = self.documents.iter().map(String::len).sum();
        let turns: usize = self.history.iter().map(|turn| turn.content.len()).sum();
        let media: usize = self.media.iter().map(|medium| medium.text().len()).sum();
        let further: usize = self.further.iter().map(String::len).sum();
        self.subject.len() + further + documents + media + turns
    }

    /// Returns the code points of the texts that are evaluated, without those of attachments. `guards_responses` as for
    /// [`Submission::evidence_until`].
    pub fn characters(&self, guards_responses: bool) -> usize {
        let is_evaluated = |turn: &&Turn| turn.evaluated_author(guards_responses).is_some();
        let turns = self.history.iter().filter(is_evaluated).map(|turn| &turn.content);
        let texts = self.documents.iter().chain([&self.subject]).chain(&self.further).chain(turns);
        texts.map(|text| text.chars().count()).sum()
    }

    /// Returns the user's most recent turns before the subject, joined with spaces; empty for a response.
    pub fn prior_turns(&self) -> String {
        if self.direction == Direction::Output {
            return String::new();
        }
        let mut turns: Vec<&str> = self.recent_turns().map(|turn| turn.content.as_str()).collect();
        turns.reverse();
        turns.join(" ")
    }

    /// Returns the user's most recent turns, the latest first, of [`MAX_PRIOR_BYTES`] together.
    pub(crate) fn recent_turns(&self) -> impl Iterator<Item = &Turn> {
        let mut length = 0;
        let users = self.history.iter().rev().filter(|turn| turn.role == Role::User);
        users.take_while(move |turn| {
            length += turn.content.len();
            length <= MAX_PRIOR_BYTES
        })
    }

    /// Returns the evidence without scores. `prior_turns` is [`Submission::prior_turns`], and `with_subject` the same text
    /// followed by the subject. `guards_responses` says whether what the model said before is evaluated. When the time is
    /// over, the rest of the texts is left empty. `find` returns the personal data of a text.
    pub fn evidence_until<'a>(
        &'a self,
        prior_turns: &'a str,
        with_subject: &'a str,
        guards_responses: bool,
        deadline: Deadline,
        find: impl Fn(&Text<'_>, &Deadline) -> Vec<Entity>,
    ) -> Evidence<'a> {
        let in_time = |text: &'a str| if deadline.is_over() { "" } else { text };
        let part = |origin, text: &'a str| Part::new(origin, Text::new(in_time(text)));
        let mut parts = vec![part(Origin::Subject, &self.subject)];
        parts.extend(self.documents.iter().enumerate().map(|(at, text)| part(Origin::Document(at), text)));
        parts.extend(self.media.iter().map(|medium| part(medium.origin(), medium.text())));
        let turn = |(at, turn): (usize, &'a Turn)| {
            let author = turn.evaluated_author(guards_responses)?;
            Some(part(Origin::Turn(at, author), &turn.content))
        };
        parts.extend(self.history.iter().enumerate().filter_map(turn));
        if !prior_turns.is_empty() {
            parts.push(part(Origin::PriorTurns(Joined::Latest), prior_turns));
            parts.push(part(Origin::PriorTurnsAndSubject(Joined::Latest), with_subject));
        }
        let found = |part: &Part<'_>| match self.media.iter().find(|medium| medium.origin() == part.origin) {
            _ if deadline.is_over() => Vec::new(),
            Some(medium) => medium.find_pii(&part.text, |text| find(text, &deadline)),
            None if part.origin.is_evaluated() => {
                let mut all = find(&part.text, &deadline);
                if let Some(file) = self.files.iter().find(|file| file.origin == part.origin) {
                    all.extend(file.find_in_images(&all, |text| find(text, &deadline)));
                    all.sort_by_key(|found| found.span);
                }
                all
            }
            None => Vec::new(),
        };
        let pii = parts.iter().map(found).collect();
        let nsfw = |part: &Part<'_>| match self.media.iter().find(|medium| medium.origin() == part.origin) {
            Some(medium) => medium.nsfw(),
            None => self.files.iter().find(|file| file.origin == part.origin)?.nsfw(),
        };
        let sexual_images =
            parts.iter().enumerate().filter_map(|(at, part)| Some((at, nsfw(part)?))).collect();
        let mut evidence = Evidence::new(self.direction, parts, pii, Scores::default());
        let known = self.history.iter().filter(|turn| turn.known.is_some());
        evidence.known_characters = known.map(|turn| turn.content.chars().count()).sum();
        evidence.sexual_images = sexual_images;
        evidence.has_unread = self.has_unread;
        evidence.unread = self.files.iter().map(|file| file.extracted.unread).sum();
        evidence.deadline = deadline;
        evidence
    }

    /// Returns the evidence without a limit on the time.
    #[cfg(test)]
    pub(crate) fn evidence<'a>(
        &'a self,
        prior_turns: &'a str,
        with_subject: &'a str,
        guards_responses: bool,
    ) -> Evidence<'a> {
        let find = |text: &Text<'_>, _: &Deadline| guardengine_engine::pii::find_all(text);
        self.evidence_until(prior_turns, with_subject, guards_responses, Deadline::none(), find)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(role: Role, content: &str) -> Turn {
        Turn::new(role, content.to_owned())
    }

    #[test]
    fn turns_are_evaluated_by_their_author() {
        let mut submission = Submission::of(Direction::Input, "now".to_owned());
        let known = Turn { known: Some(Suspicion::default()), ..turn(Role::User, "known") };
        let others = [Role::System, Role::User, Role::Assistant, Role::Tool].map(|role| turn(role, "new"));
        submission.history = std::iter::once(known).chain(others).collect();
        let evaluated = |guards_responses| {
            let evidence = submission.evidence("", "", guards_responses);
            evidence.evaluated().map(|(_, part)| part.origin).collect::<Vec<_>>()
        };
        let (user, tool) = (Origin::Turn(2, Author::User), Origin::Turn(4, Author::Tool));
        assert_eq!(evaluated(false), [Origin::Subject, user, tool]);
        assert_eq!(evaluated(true), [Origin::Subject, user, Origin::Turn(3, Author::Model), tool]);
    }

    #[test]
    fn prior_turns_are_the_recent_turns_of_the_user() {
        let mut submission = Submission::of(Direction::Input, "now".to_owned());
        submission.history = vec![
            turn(Role::User, &"far ".repeat(MAX_PRIOR_BYTES / 4)),
            turn(Role::System, "trusted"),
            turn(Role::User, "first"),
            turn(Role::Assistant, "answer"),
            turn(Role::User, "second"),
        ];
        assert_eq!(submission.prior_turns(), "first second");
    }
}
