//! Decisions that were answered while the store was gone, written when it is back.

use std::collections::BTreeSet;

use uuid::Uuid;

use crate::aftermath::keep_aftermath;
use crate::charge::charge;
use crate::credits::lock_balance;
use crate::events::keep_events;
use crate::journal::{
    NOBODY, Numbers, Payment, Rows, Sum, bind_log, by_org, deduct, insert_entries, insert_logs, keep_rows,
    paid, pay, pieces,
};
use crate::name::storable;
use crate::pii_tokens::insert_tokens;
use crate::{Db, Decision, Result};

/// Which of the decisions at those places have their row already.
macro_rules! known {
    ($tx:expr, $org_id:expr, $decisions:expr, $places:expr) => {{
        let mut known = BTreeSet::new();
        for piece in pieces($places) {
            let mut query = sqlx::QueryBuilder::new("SELECT id FROM logs WHERE org_id = ");
            query.push_bind($org_id).push(" AND id IN (");
            let mut ids = query.separated(", ");
            for place in piece {
                ids.push_bind($decisions[*place].log.id);
            }
            query.push(")");
            known.extend(query.build_query_scalar::<Uuid>().fetch_all(&mut *$tx).await?);
        }
        known
    }};
}

impl Db {
    /// Makes decisions durable that were answered already, in their order and in one transaction; those whose row is there
    /// are left alone, so that replaying again changes nothing. Each is charged what the balance still holds of its
    /// price: it was answered, and no balance falls below zero. Answers how many were written; those of organisations
    /// that are gone are not.
    pub async fn replay_decisions(&self, decisions: &[Decision]) -> Result<usize> {
        let mut decisions = decisions.to_vec();
        Ok(in_transaction!(self, |tx| {
            let mut payment = Payment::of(&decisions);
            for (org_id, mut places) in by_org(&decisions) {
                let Some(mut balance) = lock_balance!(tx, org_id) else { continue };
                let mut known = known!(tx, org_id, decisions, &places);
                places.retain(|place| known.insert(decisions[*place].log.id));
                for place in &places {
                    let log = &mut decisions[*place].log;
                    log.credits = log.credits.min(balance);
                    balance -= log.credits;
                }
                let costs: Vec<i64> = places.iter().map(|place| decisions[*place].log.credits).collect();
                let deducted = deduct!(tx, org_id, Sum::of(costs.iter().copied()));
                payment.note(org_id, places, pay!(tx, org_id, &costs, deducted));
            }
            let rows = Rows::of_paid(&decisions, &mut payment);
            let written = rows.decisions.len();
            keep_rows!(tx, rows);
            written
        }))
    }
}
