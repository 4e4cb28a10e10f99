//! Decisions that were answered while the store was gone, written when it is back.

use std::collections::BTreeSet;

use sqlx::QueryBuilder;
use uuid::Uuid;

use crate::journal::{Payment, Rows, Sum, by_org, pieces};
use crate::tx::Tx;
use crate::{Db, Decision, Result};

impl Db {
    /// Makes decisions durable that were answered already, in their order and in one transaction; those whose row is there
    /// are left alone, so that replaying again changes nothing. Each is charged what the balance still holds of its
    /// price: it was answered, and no balance falls below zero. Answers how many were written; those of organisations
    /// that are gone are not.
    pub async fn replay_decisions(&self, decisions: &[Decision]) -> Result<usize> {
        let mut decisions = decisions.to_vec();
        let mut tx = self.write().await?;
        let mut payment = Payment::of(&decisions);
        for (org_id, mut places) in by_org(&decisions) {
            let Some(mut balance) = tx.lock_balance(org_id).await? else { continue };
            let mut known = tx.known_logs(org_id, &decisions, &places).await?;
            places.retain(|place| known.insert(decisions[*place].log.id));
            for place in &places {
                let log = &mut decisions[*place].log;
                log.credits = log.credits.min(balance);
                balance -= log.credits;
            }
            let costs: Vec<i64> = places.iter().map(|place| decisions[*place].log.credits).collect();
            let deducted = tx.deduct(org_id, Sum::of(costs.iter().copied())).await?;
            payment.note(org_id, places, tx.pay(org_id, &costs, deducted).await?);
        }
        let rows = Rows::of_paid(&decisions, &mut payment);
        let written = rows.decisions.len();
        tx.insert_rows(&rows).await?;
        tx.commit().await?;
        Ok(written)
    }
}

impl Tx {
    /// Which of the decisions at those places have their row already.
    async fn known_logs(
        &mut self,
        org_id: Uuid,
        decisions: &[Decision],
        places: &[usize],
    ) -> Result<BTreeSet<Uuid>> {
        let mut known = BTreeSet::new();
        on!(self.connection(), |c| {
            for piece in pieces(places) {
                let mut query = QueryBuilder::new("SELECT id FROM logs WHERE org_id = ");
                query.push_bind(org_id).push(" AND id IN (");
                let mut ids = query.separated(", ");
                for place in piece {
                    ids.push_bind(decisions[*place].log.id);
                }
                query.push(")");
                known.extend(query.build_query_scalar::<Uuid>().fetch_all(&mut *c).await?);
            }
        });
        Ok(known)
    }
}
