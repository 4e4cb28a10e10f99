//! Transactions that end with an audit entry: a change and its entry take effect together, or neither does.

use std::ops::{Deref, DerefMut};

use uuid::Uuid;

use crate::db::Tx;
use crate::{AuditEntry, Db, NewAuditEntry, Result, Timestamp};

/// Who makes a change, and in which organization's trail it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Organization; the nil UUID for the whole installation.
    pub org_id: Uuid,
    /// Principal: a username, an API key's identifier or an operator's command.
    pub principal: String,
    /// IP address; `""` for a local command.
    pub address: String,
}

/// A transaction whose only commit writes an audit entry. Changes are methods of [`Tx`]; dropping it undoes them.
///
/// It holds the only writing connection of SQLite: use no other writing method of [`Db`] before it ends.
#[derive(Debug)]
pub struct AuditedTx {
    tx: Tx,
    now: Timestamp,
}

impl Db {
    /// Begins a transaction for changes that are recorded in the audit trail.
    pub async fn audited(&self, now: Timestamp) -> Result<AuditedTx> {
        Ok(AuditedTx { tx: self.write().await?, now })
    }
}

impl AuditedTx {
    /// Writes the audit entry and commits it with the changes. [`NewAuditEntry`] describes `action`, `target` and
    /// `details`.
    pub async fn commit(
        mut self,
        actor: &Actor,
        action: &str,
        target: &str,
        details: &str,
    ) -> Result<AuditEntry> {
        let entry = self.tx.audit(actor, action, target, details, self.now).await?;
        self.tx.commit().await?;
        Ok(entry)
    }
}

impl Deref for AuditedTx {
    type Target = Tx;

    fn deref(&self) -> &Tx {
        &self.tx
    }
}

impl DerefMut for AuditedTx {
    fn deref_mut(&mut self) -> &mut Tx {
        &mut self.tx
    }
}

impl Tx {
    /// Appends an entry about an actor's change to the trail of the actor's organization.
    pub async fn audit(
        &mut self,
        actor: &Actor,
        action: &str,
        target: &str,
        details: &str,
        now: Timestamp,
    ) -> Result<AuditEntry> {
        let (principal, address) = (&actor.principal, &actor.address);
        let new = NewAuditEntry { org_id: actor.org_id, principal, address, action, target, details };
        self.append_audit(new, now).await
    }
}
