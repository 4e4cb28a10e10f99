//! Challenges: single-use tokens bound to a caller and a prompt.

use std::time::Duration;

use guardengine_store::NewChallenge;
use guardengine_vault::DataKey;
use subtle::ConstantTimeEq as _;

use crate::{
    app::App,
    auth::secret,
    guard::{GuardRequest, PendingDecision},
    http::Error,
    project_access,
};

const PREFIX: &str = "gc_";
/// Random letters and digits of 5.95 bits each, 256 bits in all.
const RANDOM_CHARS: usize = 43;
const LIFETIME: Duration = Duration::from_mins(5);
const PURPOSE: &str = "challenge binding";

/// Returns a new challenge for a decision, and its token. The store keeps only the token's digest.
pub(super) fn create(pending: &PendingDecision) -> (NewChallenge, String) {
    let token = format!("{PREFIX}{}", secret::random(RANDOM_CHARS));
    let challenge = NewChallenge {
        hash: secret::digest(&token),
        principal_id: pending.call.caller.principal(),
        binding: binding(&pending.call, &pending.keys.data),
        expires_at: pending.call.now + LIFETIME,
    };
    (challenge, token)
}

/// Returns the digest of a token that `call` may answer. Returns 404 unless the token was issued to the caller, then 409
/// unless it was issued for this prompt, is unanswered and has not expired. Recording the answer checks again that it is
/// the first.
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
    let keys = app.vault.data_key(caller.org_id).await?;
    if bool::from(binding(call, &keys).ct_eq(&challenge.binding)) {
        Ok(hash)
    } else {
        Err(Error::conflict("challenge is for another prompt"))
    }
}

/// Returns a keyed digest of everything that decides: project, end user, texts and options.
fn binding(call: &GuardRequest, keys: &DataKey) -> [u8; 32] {
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
    keys.digest(PURPOSE, whole.to_string().as_bytes())
}
