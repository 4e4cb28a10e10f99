//! Restoring masked values from their tokens.

use std::collections::HashMap;

use guardengine_auth::{Principal, audit, permission};
use guardengine_engine::pii::mask::{restore, tokens_in};
use guardengine_store::Timestamp;
use serde_json::json;

use crate::{Error, Guard, associated_data::token_aad};

/// A text with its values restored.
#[derive(Debug)]
pub struct Restored {
    /// The text.
    pub text: String,
    /// Number of restored tokens.
    pub restored: usize,
}

impl Guard {
    /// Replaces the tokens of the caller's organization by their values, and records that in the audit trail. The caller
    /// must hold the permission.
    pub async fn unmask(&self, caller: &Principal, text: &str, now: Timestamp) -> Result<Restored, Error> {
        let ids: Vec<String> = tokens_in(text).into_iter().map(|(_, id)| id).collect();
        let keys = self.vault.data_key(caller.org_id).await?;
        let mut values = HashMap::new();
        for token in self.db.pii_tokens(caller.org_id, &ids).await? {
            let value = keys.open(&token_aad(caller.org_id, &token.token), &token.sealed)?;
            values.insert(token.token, String::from_utf8_lossy(&value).into_owned());
        }
        let (text, restored) = restore(text, |id| values.get(id).cloned());
        let details = json!({ "restored": restored });
        audit::record(&self.db, now, caller, permission::UNMASK, "", details).await?;
        Ok(Restored { text, restored })
    }
}
