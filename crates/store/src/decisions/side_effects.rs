//! Side effects of a decision, written in the same transaction as its log entry.

use crate::db::Tx;
use crate::{Decision, NewChallenge, NewEvent, NewReview, NewTicket, Result, TrustMove};

/// Side effects of a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aftermath {
    /// Digest of the challenge token that the decision answers. If that challenge is already answered or expired,
    /// nothing of the decision is written.
    pub answers: Option<[u8; 32]>,
    /// Challenge to create.
    pub challenge: Option<NewChallenge>,
    /// Review to create.
    pub review: Option<NewReview>,
    /// Change of the end user's trust value.
    pub trust: Option<TrustMove>,
    /// Tickets to create.
    pub tickets: Vec<NewTicket>,
    /// Event to emit.
    pub event: Option<NewEvent>,
}

impl Tx {
    /// Answers the challenges of an organization's decisions and returns the indices of those that came too late.
    /// Challenges are answered in a fixed order, so that two writers never deadlock.
    pub(crate) async fn answer_challenges(
        &mut self,
        decisions: &[Decision],
        places: &[usize],
    ) -> Result<Vec<usize>> {
        let answer = |place: &usize| Some((decisions[*place].aftermath.answers?, *place));
        let mut answers: Vec<_> = places.iter().filter_map(answer).collect();
        answers.sort_unstable();
        let mut late = Vec::new();
        for (hash, place) in answers {
            let log = &decisions[place].log;
            if !self.answer_challenge(log.org_id, &hash, log.created_at).await? {
                late.push(place);
            }
        }
        Ok(late)
    }

    /// Writes the side effects of a decision.
    pub(crate) async fn insert_side_effects(&mut self, decision: &Decision) -> Result<()> {
        let (log, aftermath) = (&decision.log, &decision.aftermath);
        if let Some(challenge) = &aftermath.challenge {
            self.insert_challenge(log.org_id, challenge).await?;
        }
        if let Some(review) = &aftermath.review {
            self.insert_review(log, review).await?;
        }
        if let Some(moved) = &aftermath.trust {
            self.move_trust(log.org_id, moved, log.created_at).await?;
        }
        for ticket in &aftermath.tickets {
            self.insert_ticket(log, ticket).await?;
        }
        Ok(())
    }
}
