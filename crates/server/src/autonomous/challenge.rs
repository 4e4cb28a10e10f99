//! Challenges: a token that serves once, for the caller and the very prompt that it was given for.

use std::time::Duration;

use guardengine_store::NewChallenge;
use subtle::ConstantTimeEq as _;

use crate::{
    app::App,
    auth::secret,
    guard::{GuardRequest, PendingDecision},
    http::Error,
    project_access,
    vault::OrgKeys,
};

const PREFIX: &str = "gc_";
/// Letters and digits of 5.95 bits: 256 bits.
const RANDOM: usize = 43;
const LIFETIME: Duration = Duration::from_mins(5);
const PURPOSE: &str = "challenge binding";

/// A new challenge for what was decided, and its token. The store knows the token's digest alone.
pub(super) fn set(decided: &PendingDecision) -> (NewChallenge, String) {
    let token = format!("{PREFIX}{}", secret::random(RANDOM));
    let challenge = NewChallenge {
        hash: secret::digest(&token),
        principal_id: decided.call.caller.principal(),
        binding: binding(&decided.call, &decided.keys),
        expires_at: decided.call.now + LIFETIME,
    };
    (challenge, token)
}

/// The digest of a token that `call` may answer: 404 unless it was given to its caller, then 409 unless it was given
/// for this very prompt, is unanswered and in time. Whoever keeps the answer asks once more whether it is the first.
pub async fn answerable(app: &App, token: &str, call: &GuardRequest) -> Result<[u8; 32], Error> {
    let (caller, hash) = (&call.caller, secret::digest(token));
    let found = app.db.challenge(caller.org_id, &hash).await?;
    let found = found.filter(|challenge| challenge.principal_id == caller.principal());
    let challenge = found.ok_or_else(|| Error::not_found("challenge"))?;
    if let Some(project) = call.project_id {
        project_access::project(&app.db, caller, project).await?;
    }
    if challenge.answered_at.is_some() {
        return Err(Error::conflict("challenge already answered"));
    }
    if challenge.expires_at <= call.now {
        return Err(Error::conflict("challenge expired"));
    }
    let keys = app.vault.org(caller.org_id).await?;
    if bool::from(binding(call, &keys).ct_eq(&challenge.binding)) {
        Ok(hash)
    } else {
        Err(Error::conflict("challenge is for another prompt"))
    }
}

/// A keyed digest of all that decides: whose policy, about whom, the texts, and what was asked for.
fn binding(call: &GuardRequest, keys: &OrgKeys) -> [u8; 32] {
    let (texts, asked) = (&call.submission, call.asked);
    let whole = serde_json::json!([
        call.project_id,
        call.sender.username,
        asked.mask,
        asked.strategy,
        texts.subject,
        texts.documents,
        texts.history,
    ]);
    keys.data.digest(PURPOSE, whole.to_string().as_bytes())
}
