//! Replay of decisions that were answered while the database was unreachable.

use std::collections::BTreeSet;

use sqlx::QueryBuilder;
use uuid::Uuid;

use super::commit::{Payment, Rows, Sum, by_org};
use crate::db::{Tx, chunks};
use crate::{Db, DecisionRecord, Result};

impl Db {
    /// Commits decisions that were already answered, in their order and in one transaction. Existing log entries are
    /// skipped, so that a replay can be repeated. Each is charged at most the remaining balance. Returns how many were
    /// written; those of deleted organizations are not.
    pub async fn replay_decisions(&self, decisions: &[DecisionRecord]) -> Result<usize> {
        let mut decisions = decisions.to_vec();
        let mut tx = self.write().await?;
        let mut payment = Payment::of(&decisions);
        for (org_id, mut indices) in by_org(&decisions) {
            let Some(mut balance) = tx.lock_balance(org_id).await? else { continue };
            let mut known = tx.existing_logs(org_id, &decisions, &indices).await?;
            indices.retain(|index| known.insert(decisions[*index].log.id));
            for index in &indices {
                let log = &mut decisions[*index].log;
                log.credits = log.credits.min(balance);
                balance -= log.credits;
            }
            let costs: Vec<i64> = indices.iter().map(|index| decisions[*index].log.credits).collect();
            let deducted = tx.deduct(org_id, Sum::of(costs.iter().copied())).await?;
            payment.record(org_id, indices, tx.pay(org_id, &costs, deducted).await?);
        }
        let rows = Rows::of_paid(&decisions, &mut payment);
        let written = rows.decisions.len();
        tx.insert_rows(&rows).await?;
        tx.commit().await?;
        Ok(written)
    }
}

impl Tx {
    /// Returns the log entries that exist already among those decisions.
    async fn existing_logs(
        &mut self,
        org_id: Uuid,
        decisions: &[DecisionRecord],
        indices: &[usize],
    ) -> Result<BTreeSet<Uuid>> {
        let mut known = BTreeSet::new();
        on!(self.connection(), |c| {
            for chunk in chunks(indices) {
                let mut query = QueryBuilder::new("SELECT id FROM logs WHERE org_id = ");
                query.push_bind(org_id).push(" AND id IN (");
                let mut ids = query.separated(", ");
                for index in chunk {
                    ids.push_bind(decisions[*index].log.id);
                }
                query.push(")");
                known.extend(query.build_query_scalar::<Uuid>().fetch_all(&mut *c).await?);
            }
        });
        Ok(known)
    }
}
