//! What a decision leaves behind besides its row, made durable in the same transaction.

use crate::{NewChallenge, NewEvent, NewReview, NewTicket, TrustMove};

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

/// Takes the challenges that an organisation's decisions answer, always in the same order, so that two writers never
/// wait for each other. Answers the places of the decisions that came too late.
macro_rules! take_challenges {
    ($tx:expr, $decisions:expr, $places:expr) => {{
        let answer = |place: &usize| Some(($decisions[*place].aftermath.answers?, *place));
        let mut answers: Vec<_> = $places.iter().filter_map(answer).collect();
        answers.sort_unstable();
        let mut late = Vec::new();
        for (hash, place) in answers {
            let log = &$decisions[place].log;
            if !$crate::challenges::answer_challenge!($tx, log.org_id, hash, log.created_at) {
                late.push(place);
            }
        }
        late
    }};
}

/// Keeps what a decision leaves behind.
macro_rules! keep_aftermath {
    ($tx:expr, $decision:expr) => {{
        let (log, aftermath) = (&$decision.log, &$decision.aftermath);
        if let Some(challenge) = &aftermath.challenge {
            $crate::challenges::insert_challenge!($tx, log.org_id, challenge);
        }
        if let Some(review) = &aftermath.review {
            $crate::reviews::insert_review!($tx, log, review);
        }
        if let Some(moved) = &aftermath.trust {
            $crate::trust_scores::move_trust!($tx, log.org_id, moved, log.created_at);
        }
        for ticket in &aftermath.tickets {
            $crate::tickets::insert_ticket!($tx, log, ticket);
        }
    }};
}
pub(crate) use {keep_aftermath, take_challenges};
