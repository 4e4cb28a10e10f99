//! What a decision leaves behind besides its row, made durable in the same transaction.

use crate::tx::Tx;
use crate::{Decision, NewChallenge, NewEvent, NewReview, NewTicket, Result, TrustMove};

/// What a decision leaves behind besides its row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aftermath {
    /// The challenge that it answers, by the token's digest. When that one is answered or over by then, nothing of the
    /// decision is kept.
    pub answers: Option<[u8; 32]>,
    /// The challenge that it sets.
    pub challenge: Option<NewChallenge>,
    /// The review that it asks for.
    pub review: Option<NewReview>,
    /// What it says of the end user.
    pub trust: Option<TrustMove>,
    /// The tickets that it asks for.
    pub tickets: Vec<NewTicket>,
    /// What is told of it.
    pub event: Option<NewEvent>,
}

impl Tx {
    /// Takes the challenges that an organisation's decisions answer, always in the same order, so that two writers never
    /// wait for each other. Answers the places of the decisions that came too late.
    pub(crate) async fn take_challenges(
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

    /// Keeps what a decision leaves behind.
    pub(crate) async fn insert_aftermath(&mut self, decision: &Decision) -> Result<()> {
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
