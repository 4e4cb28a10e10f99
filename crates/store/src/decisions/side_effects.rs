//! Side effects of a decision, written in the same transaction as its log entry.

use crate::db::Tx;
use crate::{DecisionRecord, FinishedJob, NewChallenge, NewEvent, NewReview, NewTicket, Result, TrustUpdate};

/// Side effects of a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideEffects {
    /// Digest of the challenge token that the decision answers. If that challenge is already answered or expired,
    /// nothing of the decision is written.
    pub answered_challenge: Option<[u8; 32]>,
    /// Challenge to create.
    pub challenge: Option<NewChallenge>,
    /// Review to create.
    pub review: Option<NewReview>,
    /// Change of the end user's trust value.
    pub trust: Option<TrustUpdate>,
    /// Tickets to create.
    pub tickets: Vec<NewTicket>,
    /// Event to emit.
    pub event: Option<NewEvent>,
    /// Job that the decision ends. Its price was paid when it was accepted.
    pub job: Option<FinishedJob>,
}

impl Tx {
    /// Answers the challenges of an organization's decisions and returns the indices of those that came too late.
    /// Challenges are answered in a fixed order, so that two writers never deadlock.
    pub(crate) async fn answer_challenges(
        &mut self,
        decisions: &[DecisionRecord],
        indices: &[usize],
    ) -> Result<Vec<usize>> {
        let answered = |index: &usize| Some((decisions[*index].side_effects.answered_challenge?, *index));
        let mut hashes: Vec<_> = indices.iter().filter_map(answered).collect();
        hashes.sort_unstable();
        let mut late = Vec::new();
        for (hash, index) in hashes {
            let log = &decisions[index].log;
            if !self.answer_challenge(log.org_id, &hash, log.created_at).await? {
                late.push(index);
            }
        }
        Ok(late)
    }

    /// Writes the side effects of a decision.
    pub(crate) async fn insert_side_effects(&mut self, decision: &DecisionRecord) -> Result<()> {
        let (log, side_effects) = (&decision.log, &decision.side_effects);
        if let Some(challenge) = &side_effects.challenge {
            self.insert_challenge(log.org_id, challenge).await?;
        }
        if let Some(review) = &side_effects.review {
            self.insert_review(log, review).await?;
        }
        if let Some(update) = &side_effects.trust {
            self.update_trust(log.org_id, update, log.created_at).await?;
        }
        for ticket in &side_effects.tickets {
            self.insert_ticket(log, ticket).await?;
        }
        Ok(())
    }
}
