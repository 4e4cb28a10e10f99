//! Autonomous decisions: the evaluation of a prompt with its challenge or review, and the trust score of its end user.

mod challenge;
mod decision;
mod user_messages;

pub use challenge::answerable;
pub use decision::AutonomousDecision;

use guardengine_engine::{Confirmation, RequestOptions, policy::Outcome};
use guardengine_store::{NewReview, SideEffects, TrustEvent, TrustUpdate, new_id};

use crate::{Error, Guard, GuardRequest, PendingDecision};
use decision::AutonomousActions;

/// Decides on a prompt and records the decision with its challenge, review and trust update. `answered_challenge` is
/// the digest of the challenge that the call answers.
pub async fn decide(
    guard: &Guard,
    call: GuardRequest,
    answered_challenge: Option<[u8; 32]>,
) -> Result<AutonomousDecision, Error> {
    let asked = RequestOptions { mask_what_waits: true, ..call.asked };
    let pending = Box::pin(guard.evaluate(GuardRequest { asked, ..call })).await?;
    let (now, org) = (pending.call.now, pending.call.caller.org_id);
    let subject = trust_subject(&pending);
    let user_trust_score = guard.db.trust(org, &subject, now).await?;
    let outcome = pending.evaluation.verdict.outcome;
    let challenge = (outcome == Outcome::Challenge).then(|| challenge::create(&pending));
    let review = (outcome == Outcome::Escalate)
        .then(|| NewReview { id: new_id(now), expires_at: now + guard.review_lifetime });
    let (challenge, challenge_token) = challenge.unzip();
    let trust = trust_event(&pending).map(|event| TrustUpdate { subject, event });
    let actions = AutonomousActions {
        at: now,
        confirmation: pending.call.asked.confirmation,
        user_trust_score,
        challenge_token,
        challenge_expires_at: challenge.map(|challenge| challenge.expires_at),
        review_id: review.map(|review| review.id),
    };
    let recorded = guard
        .record(
            pending,
            SideEffects { answered_challenge, challenge, review, trust, ..SideEffects::default() },
        )
        .await?;
    Ok(AutonomousDecision::of(recorded, actions))
}

/// Returns the digest of the subject of trust: the end user that the caller names, else the caller.
fn trust_subject(pending: &PendingDecision) -> [u8; 32] {
    let call = &pending.call;
    let named = call.sender.username.as_ref().filter(|name| !name.is_empty());
    let subject = named.map_or_else(
        || format!("caller {}", call.caller.principal_name()),
        |name| format!("end user {name}"),
    );
    pending.keys.data.digest("trust subject", subject.as_bytes())
}

/// Returns the effect of the decision on the trust score; `None` if nothing was evaluated.
fn trust_event(pending: &PendingDecision) -> Option<TrustEvent> {
    let confirmation = pending.call.asked.confirmation;
    pending.evaluation.verdict.evaluated.then_some(match (pending.evaluation.verdict.outcome, confirmation) {
        (_, Some(Confirmation::Refused)) => TrustEvent::Refused,
        (Outcome::Allow | Outcome::Mask, Some(Confirmation::Given)) => TrustEvent::Confirmed,
        (Outcome::Allow | Outcome::Mask, None) => TrustEvent::Allowed,
        (Outcome::Challenge, _) => TrustEvent::Challenged,
        (Outcome::Escalate, _) => TrustEvent::Escalated,
        (Outcome::Block, _) => TrustEvent::Blocked,
    })
}
