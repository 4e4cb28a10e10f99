//! Attacks split over turns that are not neighbors: of the user's turns, each of the most suspicious is joined with the
//! subject, whatever lies between. Filler cannot push a turn away, because turns are chosen by their scores.

use std::{collections::HashMap, sync::LazyLock};

use guardengine_engine::{
    Evidence,
    detectors::DETECTORS,
    evidence::{Author, Joined::Suspicious, Origin, Part},
    guardrail::Direction,
    scores::label,
    text::Text,
};

use crate::submission::{Role, Submission};

/// Earlier turns of which each is joined with the subject.
const MAX_JOINED: usize = 4;
/// Bytes of a turn, and of the subject, that are joined: two make one window of the classifiers.
const MAX_EXCERPT: usize = 256;
/// Longest window of the classifiers, in bytes, that is a place in a text. A chunk can be somewhat longer than an excerpt.
const MAX_WINDOW: usize = 4 * MAX_EXCERPT;

/// Labels of the guardrails against attacks on the model: only attacks are split.
static ATTACKS: LazyLock<Vec<usize>> = LazyLock::new(|| {
    let guardrails = DETECTORS.iter().map(|detector| detector.guardrail());
    guardrails
        .filter(|guardrail| guardrail.attacks_model)
        .filter_map(|guardrail| label(guardrail.name))
        .collect()
});

/// The highest score of a text for an attack, and its place in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Suspicion {
    score: f32,
    start: u32,
    end: u32,
}

impl Suspicion {
    /// Returns the suspicious place of the text, or all of a short text.
    fn excerpt(self, text: &str) -> &str {
        if text.len() <= MAX_EXCERPT {
            return text;
        }
        let end = (self.end as usize).clamp(MAX_EXCERPT, text.len());
        let start = (self.start as usize).min(end - MAX_EXCERPT);
        &text[text.ceil_char_boundary(start)..text.floor_char_boundary(start + MAX_EXCERPT)]
    }
}

/// Returns the suspicion of every scored part.
fn of_parts(evidence: &Evidence<'_>) -> Vec<Suspicion> {
    let mut all = vec![Suspicion::default(); evidence.parts.len()];
    let mut highest_of_windows = vec![0.0; evidence.parts.len()];
    for scored in &evidence.scores.scored {
        let score = ATTACKS.iter().map(|label| scored.scores[*label]).fold(0.0, f32::max);
        let span = evidence.parts[scored.part].text.views()[scored.view].original(scored.span);
        let (suspicion, highest) = (&mut all[scored.part], &mut highest_of_windows[scored.part]);
        suspicion.score = suspicion.score.max(score);
        // The score of a long text says nothing about the place.
        if span.end - span.start <= MAX_WINDOW && score > *highest {
            *highest = score;
            (suspicion.start, suspicion.end) = (span.start as u32, span.end as u32);
        }
    }
    all
}

/// Returns the suspicions of the evaluated texts of the user.
pub(crate) fn suspicions(evidence: &Evidence<'_>) -> Vec<(Origin, Suspicion)> {
    let parts = evidence.parts.iter().map(|part| part.origin).zip(of_parts(evidence));
    parts.filter(|(origin, _)| matches!(origin, Origin::Subject | Origin::Turn(_, Author::User))).collect()
}

/// An earlier turn, and the same with the subject.
#[derive(Clone, Debug, PartialEq, Eq)]
struct JoinedTurn {
    before: String,
    with_subject: String,
}

/// The earlier turns that are joined with the subject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JoinedTurns {
    /// The most suspicious one first.
    joined: Vec<JoinedTurn>,
}

impl JoinedTurns {
    /// Chooses among the turns by their scores: those of this request, or those from when the turn was evaluated. A single
    /// short turn is joined by [`Submission::prior_turns`] already.
    pub(crate) fn choose(submission: &Submission, evidence: &Evidence<'_>) -> Self {
        if submission.direction == Direction::Output {
            return Self::default();
        }
        let users = submission.history.iter().enumerate().filter(|(_, turn)| turn.role == Role::User);
        let users: Vec<_> = users.collect();
        if users.len() < 2 && users.iter().all(|(_, turn)| turn.content.len() <= MAX_EXCERPT) {
            return Self::default();
        }
        let mut subject = Suspicion::default();
        let mut of_turns = HashMap::new();
        for (origin, suspicion) in suspicions(evidence) {
            match origin {
                Origin::Turn(at, _) => {
                    of_turns.insert(at, suspicion);
                }
                _ => subject = suspicion,
            }
        }
        let suspicion =
            |at, known: Option<Suspicion>| known.or_else(|| of_turns.get(&at).copied()).unwrap_or_default();
        let mut turns: Vec<_> =
            users.iter().map(|(at, turn)| (*at, suspicion(*at, turn.known), turn.content.as_str())).collect();
        turns.sort_by(|one, other| other.1.score.total_cmp(&one.1.score).then(other.0.cmp(&one.0)));
        turns.truncate(MAX_JOINED);
        let subject = subject.excerpt(&submission.subject);
        let joined = turns.iter().map(|(_, suspicion, text)| {
            let before = suspicion.excerpt(text).to_owned();
            JoinedTurn { with_subject: format!("{before} {subject}"), before }
        });
        Self { joined: joined.collect() }
    }

    /// Adds the joined turns to the evidence.
    pub(crate) fn add_to<'a>(&'a self, evidence: &mut Evidence<'a>) {
        for joined in &self.joined {
            let both = [
                (Origin::PriorTurns(Suspicious), &joined.before),
                (Origin::PriorTurnsAndSubject(Suspicious), &joined.with_subject),
            ];
            for (origin, text) in both {
                evidence.parts.push(Part::new(origin, Text::new(text)));
                evidence.pii.push(Vec::new());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use guardengine_engine::scores::{LABELS, Scores, WindowScores};
    use guardengine_engine::span::Span;

    use super::*;
    use crate::submission::Turn;

    fn known(text: &str, score: f32) -> Turn {
        let suspicion = Suspicion { score, start: 0, end: 0 };
        Turn { known: Some(suspicion), ..Turn::new(Role::User, text.to_owned()) }
    }

    fn chosen(history: Vec<Turn>) -> Vec<String> {
        let submission = Submission { history, ..Submission::of(Direction::Input, "now".to_owned()) };
        let evidence = submission.evidence("", "", false);
        let turns = JoinedTurns::choose(&submission, &evidence);
        turns.joined.into_iter().map(|one| one.with_subject).collect()
    }

    #[test]
    fn each_of_the_most_suspicious_turns_is_joined_whatever_lies_between() {
        let filler = || known(&"talk ".repeat(500), 0.01);
        let history = [known("first", 0.6), filler(), known("whole", 0.9), filler(), known("second", 0.2)];
        let joined = chosen(history.into_iter().chain([known("third", 0.1), filler()]).collect());
        assert_eq!(joined, ["whole now", "first now", "second now", "third now"]);
    }

    #[test]
    fn a_single_short_turn_is_joined_as_a_whole_and_not_again() {
        assert!(chosen(vec![known("first", 0.2)]).is_empty());
        assert_eq!(chosen(vec![known(&"talk ".repeat(100), 0.2)]).len(), 1);
    }

    #[test]
    fn the_excerpt_of_a_long_turn_is_its_suspicious_place() {
        let text = format!("{}attack{}", "\u{e9}".repeat(1_000), "\u{e9}".repeat(1_000));
        let submission = Submission::of(Direction::Input, text.clone());
        let mut evidence = submission.evidence("", "", false);
        let window = |span, score| WindowScores { part: 0, view: 0, span, scores: [score; LABELS.len()] };
        let scored = vec![
            window(Span::new(0, text.len()), 0.4),
            window(Span::new(1_900, 2_100), 0.3),
            window(Span::new(0, 200), 0.1),
        ];
        evidence.scores = Scores { scored, ..Scores::default() };
        let suspicion = of_parts(&evidence)[0];
        assert!((suspicion.score - 0.4).abs() < f32::EPSILON);
        let excerpt = suspicion.excerpt(&text);
        assert!(excerpt.contains("attack") && excerpt.len() <= MAX_EXCERPT, "{excerpt}");
    }
}
