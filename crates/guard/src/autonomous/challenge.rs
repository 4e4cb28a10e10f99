//! Challenges: single-use tokens bound to a caller and a prompt.

use std::time::Duration;

use guardengine_auth::{project_access, secret};
use guardengine_engine::evidence::Origin;
use guardengine_store::NewChallenge;
use guardengine_vault::DataKey;
use subtle::ConstantTimeEq as _;

use crate::{Error, Guard, GuardRequest, PendingDecision};

const PREFIX: &str = "gc_";
/// Random letters and digits of 5.95 bits each, 256 bits in all.
const RANDOM_CHARS: usize = 43;
const LIFETIME: Duration = Duration::from_mins(5);
const PURPOSE: &str = "challenge binding";

/// Returns a new challenge for a decision, and its token. The store keeps only the token's digest.
pub(crate) fn create(pending: &PendingDecision) -> (NewChallenge, String) {
    let token = format!("{PREFIX}{}", secret::random(RANDOM_CHARS));
    let challenge = NewChallenge {
        hash: secret::digest(&token),
        principal_id: pending.call.caller.principal(),
        binding: binding(&pending.call, &pending.keys.data),
        expires_at: pending.call.now + LIFETIME,
    };
    (challenge, token)
}

/// Returns the digest of a token that `call` may answer. Returns [`Error::NotFound`] unless the token was issued to the
/// caller, then [`Error::Challenge`] unless it was issued for this prompt, is unanswered and has not expired. Recording
/// the answer checks again that it is the first.
pub async fn answerable(guard: &Guard, token: &str, call: &GuardRequest) -> Result<[u8; 32], Error> {
    let (caller, hash) = (&call.caller, secret::digest(token));
    let found = guard.db.challenge(caller.org_id, &hash).await?;
    let found = found.filter(|challenge| challenge.principal_id == caller.principal());
    let challenge = found.ok_or(Error::NotFound("challenge"))?;
    if let Some(project) = call.project() {
        project_access::project(&guard.db, caller, project).await?;
    }
    if challenge.answered_at.is_some() {
        return Err(Error::Challenge("already answered"));
    }
    if challenge.expires_at <= call.now {
        return Err(Error::Challenge("expired"));
    }
    let keys = guard.vault.data_key(caller.org_id).await?;
    if bool::from(binding(call, &keys).ct_eq(&challenge.binding)) {
        Ok(hash)
    } else {
        Err(Error::Challenge("is for another prompt"))
    }
}

/// Returns a keyed digest of everything that decides: project, end user, texts and options.
fn binding(call: &GuardRequest, keys: &DataKey) -> [u8; 32] {
    let (texts, asked) = (&call.submission, call.asked);
    // The texts of files are known only once they are read: their contents stand for them.
    let files: Vec<_> =
        call.attached.documents.iter().map(|file| keys.digest("challenge file", &file.bytes)).collect();
    let is_file = |at: usize| call.attached.documents.iter().any(|file| file.origin == Origin::Document(at));
    let documents = texts.documents.iter().enumerate();
    let documents: Vec<_> = documents.map(|(at, text)| if is_file(at) { "" } else { text }).collect();
    let whole = serde_json::json!([
        call.project(),
        call.sender.username,
        asked.mask,
        asked.strategy,
        texts.subject,
        documents,
        files,
        texts.history,
    ]);
    keys.digest(PURPOSE, whole.to_string().as_bytes())
}
