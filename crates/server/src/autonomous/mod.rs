//! Autonomous decisions: a judged prompt, what is to be done about it, and what follows from that: a challenge, a
//! review, and the trust in its end user.

pub mod challenge;
pub mod decision;
mod user_messages;

use guardengine_engine::{Asked, Confirmation, policy::Outcome};
use guardengine_store::{Aftermath, NewReview, TrustEvent, TrustMove, new_id};

use crate::{
    app::App,
    guard::{GuardRequest, PendingDecision},
    http::Error,
};
use decision::{AutonomousActions, AutonomousDecision};

/// Decides about a prompt, and makes durable what follows; `answers` is the digest of the challenge that the call answers.
pub async fn decide(
    app: &App,
    call: GuardRequest,
    answers: Option<[u8; 32]>,
) -> Result<AutonomousDecision, Error> {
    let asked = Asked { mask_what_waits: true, ..call.asked };
    let decided = Box::pin(app.guard.evaluate(GuardRequest { asked, ..call })).await?;
    let (now, org) = (decided.call.now, decided.call.caller.org_id);
    let subject = subject(&decided);
    let user_trust_score = app.db.trust(org, &subject, now).await?;
    let outcome = decided.judged.verdict.outcome;
    let challenge = (outcome == Outcome::Challenge).then(|| challenge::set(&decided));
    let review = (outcome == Outcome::Escalate)
        .then(|| NewReview { id: new_id(now), expires_at: now + app.settings.review_lifetime });
    let (challenge, challenge_token) = challenge.unzip();
    let trust = event(&decided).map(|event| TrustMove { subject, event });
    let consequences = AutonomousActions {
        at: now,
        confirmation: decided.call.asked.confirmation,
        user_trust_score,
        challenge_token,
        challenge_expires_at: challenge.map(|challenge| challenge.expires_at),
        review_id: review.map(|review| review.id),
    };
    let answered = app
        .guard
        .record(decided, Aftermath { answers, challenge, review, trust, ..Aftermath::default() })
        .await?;
    Ok(AutonomousDecision::of(answered, consequences))
}

/// Who is trusted or not: the end user whom the caller names, else the caller.
fn subject(decided: &PendingDecision) -> [u8; 32] {
    let call = &decided.call;
    let named = call.sender.username.as_ref().filter(|name| !name.is_empty());
    let who = named.map_or_else(
        || format!("caller {}", call.caller.principal_name()),
        |name| format!("end user {name}"),
    );
    decided.keys.data.digest("trust subject", who.as_bytes())
}

/// What the decision says of the end user; nothing where nothing was judged.
fn event(decided: &PendingDecision) -> Option<TrustEvent> {
    let confirmation = decided.call.asked.confirmation;
    decided.judged.verdict.judged.then_some(match (decided.judged.verdict.outcome, confirmation) {
        (_, Some(Confirmation::Refused)) => TrustEvent::Refused,
        (Outcome::Allow | Outcome::Mask, Some(Confirmation::Given)) => TrustEvent::Confirmed,
        (Outcome::Allow | Outcome::Mask, None) => TrustEvent::Allowed,
        (Outcome::Challenge, _) => TrustEvent::Challenged,
        (Outcome::Escalate, _) => TrustEvent::Escalated,
        (Outcome::Block, _) => TrustEvent::Blocked,
    })
}
