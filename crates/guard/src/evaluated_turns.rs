//! The texts that were evaluated, so that a conversation is not evaluated anew with every prompt.

use guardengine_classifiers::ScoreCache;
use guardengine_engine::guardrail::Direction;
use uuid::Uuid;

use crate::submission::{Role, Submission};

/// Texts that are remembered, about 100 bytes each. What is forgotten is evaluated again.
const REMEMBERED: u64 = 100_000;

/// Keyed hashes of the prompts and turns of users that were evaluated, by the project in which they were.
#[derive(Debug)]
pub struct EvaluatedTurns(ScoreCache<()>);

/// The organization and project of a conversation.
type Scope = (Uuid, Option<Uuid>);

impl Default for EvaluatedTurns {
    fn default() -> Self {
        Self(ScoreCache::new(REMEMBERED))
    }
}

impl EvaluatedTurns {
    /// Marks the turns of the user that were evaluated before, unless the submission evaluates them again.
    pub fn mark(&self, scope: Scope, submission: &mut Submission) {
        if submission.repeats_known_turns {
            return;
        }
        for turn in submission.history.iter_mut().filter(|turn| turn.role == Role::User) {
            turn.is_known = self.0.get(&key(scope, &turn.content)).is_some();
        }
    }

    /// Remembers the texts of the user that were evaluated with this submission.
    pub fn remember(&self, scope: Scope, submission: &Submission) {
        if submission.direction == Direction::Input {
            for subject in submission.further.iter().chain([&submission.subject]) {
                self.0.insert(&key(scope, subject), ());
            }
        }
        let turns = submission.history.iter().filter(|turn| turn.role == Role::User && !turn.is_known);
        for turn in turns {
            self.0.insert(&key(scope, &turn.content), ());
        }
    }
}

const fn key(scope: Scope, text: &str) -> (Scope, &str) {
    (scope, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submission::Turn;

    fn submission(prompt: &str, turns: &[&str]) -> Submission {
        let turn = |text: &&str| Turn::new(Role::User, (*text).to_owned());
        Submission {
            history: turns.iter().map(turn).collect(),
            ..Submission::of(Direction::Input, prompt.to_owned())
        }
    }

    fn known(turns: &EvaluatedTurns, scope: Scope, texts: &[&str]) -> Vec<bool> {
        let mut submission = submission("next", texts);
        turns.mark(scope, &mut submission);
        submission.history.iter().map(|turn| turn.is_known).collect()
    }

    #[test]
    fn prompts_and_turns_are_known_in_their_project_alone() {
        let (turns, org) = (EvaluatedTurns::default(), Uuid::from_u128(1));
        let scope = (org, Some(Uuid::from_u128(2)));
        turns.remember(scope, &submission("second", &["first"]));
        assert_eq!(known(&turns, scope, &["first", "second", "third"]), [true, true, false]);
        for other in [(org, None), (Uuid::from_u128(3), scope.1)] {
            assert_eq!(known(&turns, other, &["first"]), [false]);
        }
    }

    #[test]
    fn a_submission_can_evaluate_known_turns_again() {
        let (turns, scope) = (EvaluatedTurns::default(), (Uuid::from_u128(1), None));
        turns.remember(scope, &submission("first", &[]));
        let mut again = Submission { repeats_known_turns: true, ..submission("next", &["first"]) };
        turns.mark(scope, &mut again);
        assert!(!again.history[0].is_known);
    }

    #[test]
    fn responses_are_no_turns_of_the_user() {
        let (turns, scope) = (EvaluatedTurns::default(), (Uuid::from_u128(1), None));
        turns.remember(scope, &Submission::of(Direction::Output, "answer".to_owned()));
        assert_eq!(known(&turns, scope, &["answer"]), [false]);
    }
}
