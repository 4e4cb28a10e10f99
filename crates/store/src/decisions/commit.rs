//! Committing decisions: many in one transaction, each with its log entry, price, tokens and side effects.

use std::collections::BTreeMap;

use sqlx::QueryBuilder;
use uuid::Uuid;

use super::charge::charge;
use crate::db::{Tx, chunks};
use crate::logs::{details, entries};
use crate::name::storable;
use crate::{
    Charge, CreditEntry, Db, LogEntry, LogEntryDetails, NewEvent, PiiToken, Result, SideEffects, Timestamp,
};

/// A decision to write and charge. Its price is the log entry's `credits`.
#[derive(Clone, Debug)]
pub struct DecisionRecord {
    /// Log entry.
    pub log: LogEntry,
    /// Details of the log entry.
    pub detail: LogEntryDetails,
    /// Operation for the ledger, as named in the configuration.
    pub operation: String,
    /// Values behind the tokens it created.
    pub tokens: Vec<PiiToken>,
    /// Side effects.
    pub side_effects: SideEffects,
    /// Warning threshold of the balance, in credits; 0 disables the event.
    pub low_credits: i64,
}

impl DecisionRecord {
    /// A decision with nothing but a log entry and a price.
    pub fn of(log: LogEntry, operation: impl Into<String>) -> Self {
        Self {
            log,
            detail: LogEntryDetails::default(),
            operation: operation.into(),
            tokens: Vec::new(),
            side_effects: SideEffects::default(),
            low_credits: 0,
        }
    }

    /// Credits to deduct: the price, unless it was paid when its job was accepted.
    const fn due(&self) -> i64 {
        if self.side_effects.job.is_some() { 0 } else { self.log.credits }
    }
}

/// An organization that does not exist cannot pay, not even zero.
pub(crate) const UNKNOWN_ORG: Charge = Charge::Insufficient { balance: 0 };

/// Indices of each organization's decisions, ordered by organization, so that two writers never deadlock.
pub(crate) fn by_org(decisions: &[DecisionRecord]) -> BTreeMap<Uuid, Vec<usize>> {
    let mut indices: BTreeMap<Uuid, Vec<usize>> = BTreeMap::new();
    for (index, decision) in decisions.iter().enumerate() {
        indices.entry(decision.log.org_id).or_default().push(index);
    }
    indices
}

/// Costs of an organization's decisions in a batch.
struct Bill {
    org_id: Uuid,
    /// Indices of its decisions in the batch.
    indices: Vec<usize>,
    /// Cost of each of them.
    costs: Vec<i64>,
    sum: Sum,
}

impl Bill {
    fn of(decisions: &[DecisionRecord], org_id: Uuid, indices: Vec<usize>) -> Self {
        let costs: Vec<i64> = indices.iter().map(|index| decisions[*index].due()).collect();
        let sum = Sum::of(costs.iter().copied());
        Self { org_id, indices, costs, sum }
    }
}

/// Sum of several costs. A cost of zero has a log entry but no ledger entry.
#[derive(Clone, Copy)]
pub(crate) struct Sum {
    pub credits: i64,
    pub entries: i64,
    pub rows: i64,
}

impl Sum {
    pub fn of(costs: impl Iterator<Item = i64>) -> Self {
        let mut sum = Self { credits: 0, entries: 0, rows: 0 };
        for cost in costs {
            sum.credits += cost;
            sum.entries += i64::from(cost != 0);
            sum.rows += 1;
        }
        sum
    }
}

/// An organization after a deduction: balance, number of ledger entries, number of log entries.
type Deducted = (i64, i64, i64);

/// Last sequence numbers of an organization's ledger entries and log entries.
#[derive(Clone, Copy, Default)]
pub(crate) struct Numbers {
    pub entries: i64,
    pub rows: i64,
}

pub(crate) fn paid<'a>(charges: &'a [Charge], costs: &'a [i64]) -> impl Iterator<Item = i64> + 'a {
    let paid = charges.iter().zip(costs).filter(|(charge, _)| matches!(charge, Charge::Paid { .. }));
    paid.map(|(_, cost)| *cost)
}

/// Outcome of paying for a batch.
pub(crate) struct Payment {
    /// One charge per decision, in their order.
    charges: Vec<Charge>,
    /// Last sequence numbers used so far, by organization.
    numbers: BTreeMap<Uuid, Numbers>,
}

impl Payment {
    pub fn of(decisions: &[DecisionRecord]) -> Self {
        Self { charges: vec![UNKNOWN_ORG; decisions.len()], numbers: BTreeMap::new() }
    }

    pub fn record(&mut self, org_id: Uuid, indices: Vec<usize>, (charges, numbers): (Vec<Charge>, Numbers)) {
        self.numbers.insert(org_id, numbers);
        for (index, charge) in indices.into_iter().zip(charges) {
            self.charges[index] = charge;
        }
    }

    /// Removes decisions that came too late, with that outcome.
    fn reject_late(&mut self, indices: &mut Vec<usize>, late: &[usize], outcome: Charge) {
        indices.retain(|index| !late.contains(index));
        for index in late {
            self.charges[*index] = outcome;
        }
    }

    fn next_entry(&mut self, org_id: Uuid) -> i64 {
        let numbers = self.numbers.entry(org_id).or_default();
        numbers.entries += 1;
        numbers.entries
    }

    fn next_row(&mut self, org_id: Uuid) -> i64 {
        let numbers = self.numbers.entry(org_id).or_default();
        numbers.rows += 1;
        numbers.rows
    }
}

/// Rows of a batch to write.
#[derive(Default)]
pub(crate) struct Rows<'a> {
    pub logs: Vec<(i64, &'a LogEntry, &'a LogEntryDetails)>,
    pub entries: Vec<CreditEntry>,
    pub tokens: Vec<(Uuid, &'a PiiToken, Timestamp)>,
    pub decisions: Vec<&'a DecisionRecord>,
    pub events: BTreeMap<Uuid, Vec<NewEvent>>,
}

impl<'a> Rows<'a> {
    pub fn of_paid(decisions: &'a [DecisionRecord], payment: &mut Payment) -> Self {
        let mut rows = Self::default();
        for (index, decision) in decisions.iter().enumerate() {
            if let Charge::Paid { balance } = payment.charges[index] {
                rows.add(decision, balance, payment);
            }
        }
        rows
    }

    fn add(&mut self, decision: &'a DecisionRecord, balance: i64, payment: &mut Payment) {
        let log = &decision.log;
        self.logs.push((payment.next_row(log.org_id), log, &decision.detail));
        let due = decision.due();
        if due != 0 {
            let sequence = payment.next_entry(log.org_id);
            self.entries.push(CreditEntry::of_decision(decision, sequence, balance));
        }
        self.decisions.push(decision);
        let low = NewEvent::for_low_balance((balance + due, balance), decision.low_credits, log.created_at);
        let side_effects = &decision.side_effects;
        let job = side_effects.job.iter().map(|job| job.event.clone());
        let events = side_effects.event.iter().cloned().chain(job).chain(low);
        self.events.entry(log.org_id).or_default().extend(events);
        self.tokens.extend(decision.tokens.iter().map(|token| (log.org_id, token, log.created_at)));
    }
}

impl CreditEntry {
    fn of_decision(decision: &DecisionRecord, sequence: i64, balance: i64) -> Self {
        Self {
            org_id: decision.log.org_id,
            sequence,
            entry_id: decision.log.id,
            created_at: decision.log.created_at,
            operation: decision.operation.clone(),
            amount: -decision.log.credits,
            balance_after: balance,
            log_id: Some(decision.log.id),
            entries: 1,
        }
    }
}

impl Db {
    /// Commits a batch of decisions in one transaction and returns the charge of each, in their order. A decision that
    /// is not paid or came too late leaves nothing behind. An error means that nothing was written.
    pub async fn commit_decisions(&self, decisions: &[DecisionRecord]) -> Result<Vec<Charge>> {
        let mut payment = Payment::of(decisions);
        let mut tx = self.write().await?;
        let mut bills = Vec::new();
        for (org_id, mut indices) in by_org(decisions) {
            let late = tx.answer_challenges(decisions, &indices).await?;
            payment.reject_late(&mut indices, &late, Charge::ChallengeClosed);
            let lost = tx.finish_jobs(decisions, &indices).await?;
            payment.reject_late(&mut indices, &lost, Charge::JobLost);
            bills.push(Bill::of(decisions, org_id, indices));
        }
        let mut deducted = tx.deduct_all(&bills).await?;
        for bill in bills {
            let charges = tx.pay(bill.org_id, &bill.costs, deducted.remove(&bill.org_id)).await?;
            payment.record(bill.org_id, bill.indices, charges);
        }
        tx.insert_rows(&Rows::of_paid(decisions, &mut payment)).await?;
        tx.commit().await?;
        Ok(payment.charges)
    }
}

impl Tx {
    /// Deducts a sum if the balance covers it and advances the counts of entries. The organization's row stays locked
    /// until the transaction ends: sequence numbers are in order of commit.
    pub(crate) async fn deduct(&mut self, org_id: Uuid, sum: Sum) -> Result<Option<Deducted>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_as::<_, (i64, i64, i64)>(
                "UPDATE orgs SET credits = credits - $2, entry_count = entry_count + $3, log_count = log_count + $4
                 WHERE id = $1 AND credits >= $2 RETURNING credits, entry_count, log_count",
            )
            .bind(org_id)
            .bind(sum.credits)
            .bind(sum.entries)
            .bind(sum.rows)
            .fetch_optional(c)
            .await?
        }))
    }

    /// Deducts the bills of several organizations, sorted by identifier, in one statement to save round trips. Returns
    /// those that could pay.
    async fn deduct_all(&mut self, bills: &[Bill]) -> Result<BTreeMap<Uuid, Deducted>> {
        // Usually there is one organization, with a simpler statement.
        if let [one] = bills {
            let deducted = self.deduct(one.org_id, one.sum).await?;
            return Ok(deducted.map(|deducted| (one.org_id, deducted)).into_iter().collect());
        }
        // PostgreSQL locks row by row: lock in order of identifier, so that two writers never deadlock.
        let locks_rows = self.is_postgres();
        let mut after = BTreeMap::new();
        on!(self.connection(), |c| {
            for chunk in chunks(bills) {
                let mut query = QueryBuilder::new("WITH due (id, credits, entry_count, log_count) AS (");
                query.push_values(chunk, |mut row, bill| {
                    row.push_bind(bill.org_id).push_bind(bill.sum.credits);
                    row.push_bind(bill.sum.entries).push_bind(bill.sum.rows);
                });
                query.push("), held AS (SELECT id FROM orgs WHERE id IN (SELECT id FROM due) ORDER BY id");
                query.push(if locks_rows { " FOR UPDATE" } else { "" });
                query.push(
                    ") UPDATE orgs SET credits = orgs.credits - due.credits,
                         entry_count = orgs.entry_count + due.entry_count, log_count = orgs.log_count + due.log_count
                     FROM due JOIN held ON held.id = due.id
                     WHERE orgs.id = due.id AND orgs.credits >= due.credits
                     RETURNING orgs.id, orgs.credits, orgs.entry_count, orgs.log_count",
                );
                let found = query.build_query_as::<(Uuid, i64, i64, i64)>().fetch_all(&mut *c).await?;
                after.extend(
                    found.into_iter().map(|(id, credits, entries, rows)| (id, (credits, entries, rows))),
                );
            }
        });
        Ok(after)
    }

    /// Charges an organization's decisions. `deducted` is its state after paying the whole sum; if `None`, as many as
    /// the balance covers are paid. Returns the charges and the sequence numbers before them.
    pub(crate) async fn pay(
        &mut self,
        org_id: Uuid,
        costs: &[i64],
        deducted: Option<Deducted>,
    ) -> Result<(Vec<Charge>, Numbers)> {
        if let Some((after, entries, rows)) = deducted {
            let all = Sum::of(costs.iter().copied());
            let numbers = Numbers { entries: entries - all.entries, rows: rows - all.rows };
            return Ok((charge(after + all.credits, costs.iter().copied()), numbers));
        }
        let Some(balance) = self.lock_balance(org_id).await? else {
            return Ok((vec![UNKNOWN_ORG; costs.len()], Numbers::default()));
        };
        let charges = charge(balance, costs.iter().copied());
        let some = Sum::of(paid(&charges, costs));
        let numbers = self.deduct(org_id, some).await?.map_or(Numbers::default(), |(_, entries, rows)| {
            Numbers { entries: entries - some.entries, rows: rows - some.rows }
        });
        Ok((charges, numbers))
    }

    /// Writes log entries with everything that belongs to them.
    pub(crate) async fn insert_rows(&mut self, rows: &Rows<'_>) -> Result<()> {
        self.insert_logs(&rows.logs).await?;
        self.insert_credit_entries(&rows.entries).await?;
        self.insert_pii_tokens(&rows.tokens).await?;
        for decision in &rows.decisions {
            self.insert_side_effects(decision).await?;
        }
        for (org_id, events) in &rows.events {
            self.insert_events(*org_id, events).await?;
        }
        Ok(())
    }

    async fn insert_logs(&mut self, logs: &[(i64, &LogEntry, &LogEntryDetails)]) -> Result<()> {
        on!(self.connection(), |c| {
            for chunk in chunks(logs) {
                let mut query = QueryBuilder::new("INSERT INTO logs (");
                query.push(entries::COLUMNS).push(", sequence, ").push(details::COLUMNS).push(") ");
                // In the order of the columns.
                query.push_values(chunk, |mut row, (sequence, log, detail)| {
                    row.push_bind(log.org_id).push_bind(log.id).push_bind(log.created_at);
                    row.push_bind(&log.endpoint).push_bind(&log.direction);
                    row.push_bind(log.project_id).push_bind(log.project_name.as_deref().map(storable));
                    row.push_bind(log.policy_id).push_bind(log.policy_version).push_bind(&log.decision);
                    row.push_bind(log.shadow_decision.as_deref()).push_bind(&log.outcome);
                    row.push_bind(&log.triggered_guardrails).push_bind(log.confidence);
                    row.push_bind(log.safety_score).push_bind(&log.risk_level);
                    row.push_bind(log.reason.as_deref().map(storable));
                    row.push_bind(log.source_app.as_deref().map(storable));
                    row.push_bind(log.context.as_deref().map(storable));
                    row.push_bind(log.device_id.as_deref().map(storable));
                    row.push_bind(log.username.as_deref().map(storable)).push_bind(storable(&log.principal));
                    row.push_bind(log.user_id);
                    row.push_bind(log.conversation_id.as_deref().map(storable));
                    row.push_bind(log.text.as_deref().map(storable)).push_bind(log.lang_code.as_deref());
                    row.push_bind(log.processing_time_ms).push_bind(log.credits);
                    row.push_bind(storable(&log.correlation_id)).push_bind(&log.model_version);
                    row.push_bind(log.feedback.as_deref()).push_bind(&log.surface);
                    row.push_bind(log.foreign_id.as_deref().map(storable)).push_bind(log.prompt_tokens);
                    row.push_bind(log.completion_tokens).push_bind(log.upstream_time_ms);
                    row.push_bind(*sequence);
                    row.push_bind(&detail.confidences).push_bind(&detail.timing);
                    row.push_bind(detail.sealed_text.as_deref()).push_bind(detail.feedback_note.as_deref());
                });
                query.build().execute(&mut *c).await?;
            }
        });
        Ok(())
    }
}
