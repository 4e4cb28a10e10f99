//! Decisions made durable: many in one transaction, each with its row, its price and its tokens.

use std::collections::BTreeMap;

use sqlx::QueryBuilder;
use uuid::Uuid;

use crate::charge::charge;
use crate::name::storable;
use crate::tx::Tx;
use crate::{Aftermath, Charge, CreditEntry, Db, Log, LogDetail, NewEvent, PiiToken, Result, Timestamp};
use crate::{log_detail, logs};

/// A decision that is to be kept and paid; the price is the row's `credits`.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Its row.
    pub log: Log,
    /// What a row has besides.
    pub detail: LogDetail,
    /// What the ledger calls it: the operation as the configuration names it.
    pub operation: String,
    /// The values behind the tokens it made.
    pub tokens: Vec<PiiToken>,
    /// What else it leaves behind.
    pub aftermath: Aftermath,
    /// Whether its price makes the balance fall below this, is told; 0 where it never is.
    pub low_credits: i64,
}

impl Decision {
    /// A decision that leaves nothing but its row and its price.
    pub fn of(log: Log, operation: impl Into<String>) -> Self {
        Self {
            log,
            detail: LogDetail::default(),
            operation: operation.into(),
            tokens: Vec::new(),
            aftermath: Aftermath::default(),
            low_credits: 0,
        }
    }
}

/// An organisation that is not there cannot pay even nothing.
pub(crate) const NOBODY: Charge = Charge::Insufficient { balance: 0 };

/// Rows of one statement. Few sizes, so that each is prepared once and reused.
const CHUNKS: [usize; 3] = [32, 8, 1];

/// Cuts rows into pieces of the sizes in [`CHUNKS`].
pub(crate) fn pieces<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = CHUNKS.into_iter().find(|size| *size <= rows.len())?;
        let (piece, rest) = rows.split_at(size);
        rows = rest;
        Some(piece)
    })
}

/// The places of each organisation's decisions. In the order of their ids, so that two writers never wait for each other.
pub(crate) fn by_org(decisions: &[Decision]) -> BTreeMap<Uuid, Vec<usize>> {
    let mut places: BTreeMap<Uuid, Vec<usize>> = BTreeMap::new();
    for (place, decision) in decisions.iter().enumerate() {
        places.entry(decision.log.org_id).or_default().push(place);
    }
    places
}

/// What an organisation has to pay of a batch.
struct Bill {
    org_id: Uuid,
    /// Places of its decisions in the batch.
    places: Vec<usize>,
    /// What each of them costs.
    costs: Vec<i64>,
    sum: Sum,
}

impl Bill {
    fn of(decisions: &[Decision], org_id: Uuid, places: Vec<usize>) -> Self {
        let costs: Vec<i64> = places.iter().map(|place| decisions[*place].log.credits).collect();
        let sum = Sum::of(costs.iter().copied());
        Self { org_id, places, costs, sum }
    }
}

/// What several costs come to. What costs nothing has no entry, but a row.
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

/// What an organisation has after a deduction: its balance, and its counts of ledger entries and of rows.
type Deducted = (i64, i64, i64);

/// The last numbers that an organisation has given: to ledger entries, and to rows.
#[derive(Clone, Copy, Default)]
pub(crate) struct Numbers {
    pub entries: i64,
    pub rows: i64,
}

pub(crate) fn paid<'a>(charges: &'a [Charge], costs: &'a [i64]) -> impl Iterator<Item = i64> + 'a {
    let paid = charges.iter().zip(costs).filter(|(charge, _)| matches!(charge, Charge::Paid { .. }));
    paid.map(|(_, cost)| *cost)
}

/// What became of the payment of a batch.
pub(crate) struct Payment {
    /// For each decision, in their order.
    charges: Vec<Charge>,
    /// The last numbers of each organisation so far.
    numbers: BTreeMap<Uuid, Numbers>,
}

impl Payment {
    pub fn of(decisions: &[Decision]) -> Self {
        Self { charges: vec![NOBODY; decisions.len()], numbers: BTreeMap::new() }
    }

    pub fn note(&mut self, org_id: Uuid, places: Vec<usize>, (charges, numbers): (Vec<Charge>, Numbers)) {
        self.numbers.insert(org_id, numbers);
        for (place, charge) in places.into_iter().zip(charges) {
            self.charges[place] = charge;
        }
    }

    /// Leaves out of an organisation's decisions those that come too late for the challenge they answer.
    fn leave_out(&mut self, places: &mut Vec<usize>, late: &[usize]) {
        places.retain(|place| !late.contains(place));
        for place in late {
            self.charges[*place] = Charge::AnsweredBefore;
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

/// What of a batch is written.
#[derive(Default)]
pub(crate) struct Rows<'a> {
    pub logs: Vec<(i64, &'a Log, &'a LogDetail)>,
    pub entries: Vec<CreditEntry>,
    pub tokens: Vec<(Uuid, &'a PiiToken, Timestamp)>,
    pub decisions: Vec<&'a Decision>,
    pub events: BTreeMap<Uuid, Vec<NewEvent>>,
}

impl<'a> Rows<'a> {
    pub fn of_paid(decisions: &'a [Decision], payment: &mut Payment) -> Self {
        let mut rows = Self::default();
        for (place, decision) in decisions.iter().enumerate() {
            if let Charge::Paid { balance } = payment.charges[place] {
                rows.add(decision, balance, payment);
            }
        }
        rows
    }

    fn add(&mut self, decision: &'a Decision, balance: i64, payment: &mut Payment) {
        let log = &decision.log;
        self.logs.push((payment.next_row(log.org_id), log, &decision.detail));
        if log.credits != 0 {
            let sequence = payment.next_entry(log.org_id);
            self.entries.push(CreditEntry::of_decision(decision, sequence, balance));
        }
        self.decisions.push(decision);
        let low = NewEvent::of_fall((balance + log.credits, balance), decision.low_credits, log.created_at);
        let events = decision.aftermath.event.iter().cloned().chain(low);
        self.events.entry(log.org_id).or_default().extend(events);
        self.tokens.extend(decision.tokens.iter().map(|token| (log.org_id, token, log.created_at)));
    }
}

impl CreditEntry {
    fn of_decision(decision: &Decision, sequence: i64, balance: i64) -> Self {
        Self {
            org_id: decision.log.org_id,
            sequence,
            entry_id: decision.log.id,
            created_at: decision.log.created_at,
            operation: decision.operation.clone(),
            amount: -decision.log.credits,
            balance_after: balance,
            log_id: Some(decision.log.id),
        }
    }
}

impl Db {
    /// Makes a batch of decisions durable in one transaction; answers for each, in their order, whether it was
    /// paid. What was not paid, or came too late, leaves nothing behind. On an error nothing of the batch took effect.
    pub async fn commit_decisions(&self, decisions: &[Decision]) -> Result<Vec<Charge>> {
        let mut payment = Payment::of(decisions);
        let mut tx = self.write().await?;
        let mut bills = Vec::new();
        for (org_id, mut places) in by_org(decisions) {
            let late = tx.take_challenges(decisions, &places).await?;
            payment.leave_out(&mut places, &late);
            bills.push(Bill::of(decisions, org_id, places));
        }
        let mut deducted = tx.deduct_all(&bills).await?;
        for bill in bills {
            let charges = tx.pay(bill.org_id, &bill.costs, deducted.remove(&bill.org_id)).await?;
            payment.note(bill.org_id, bill.places, charges);
        }
        tx.insert_rows(&Rows::of_paid(decisions, &mut payment)).await?;
        tx.commit().await?;
        Ok(payment.charges)
    }
}

impl Tx {
    /// Takes a sum if it is there and counts its entries and rows; the balance, the entries and the rows after that.
    /// The organisation's row stays locked until the end of the transaction: numbers are given in the order of commits.
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

    pub(crate) async fn insert_credit_entries(&mut self, entries: &[CreditEntry]) -> Result<()> {
        on!(self.connection(), |c| {
            for piece in pieces(entries) {
                let mut query = QueryBuilder::new(
                    "INSERT INTO credit_entries
                     (org_id, sequence, entry_id, created_at, operation, amount, balance_after, log_id) ",
                );
                query.push_values(piece, |mut row, entry| {
                    row.push_bind(entry.org_id)
                        .push_bind(entry.sequence)
                        .push_bind(entry.entry_id)
                        .push_bind(entry.created_at);
                    row.push_bind(&entry.operation).push_bind(entry.amount).push_bind(entry.balance_after);
                    row.push_bind(entry.log_id);
                });
                query.build().execute(&mut *c).await?;
            }
        });
        Ok(())
    }

    /// Deducts the bills of several organisations, which come in the order of their ids: a statement for all instead of one
    /// for each, so that nobody waits for round trips. Answers what is there of those that could pay.
    async fn deduct_all(&mut self, bills: &[Bill]) -> Result<BTreeMap<Uuid, Deducted>> {
        // Mostly there is one, whose statement has less to do.
        if let [one] = bills {
            let deducted = self.deduct(one.org_id, one.sum).await?;
            return Ok(deducted.map(|deducted| (one.org_id, deducted)).into_iter().collect());
        }
        // Where rows are locked one by one, they are locked in the order of their ids, so that two writers never wait for
        // each other.
        let locks_rows = matches!(self, Self::Postgres(_));
        let mut after = BTreeMap::new();
        on!(self.connection(), |c| {
            for piece in pieces(bills) {
                let mut query = QueryBuilder::new("WITH due (id, credits, entry_count, log_count) AS (");
                query.push_values(piece, |mut row, bill| {
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

    /// Pays an organisation's decisions: `deducted` says what is there after the whole sum was taken, `None` that it could
    /// not be, and then as many are paid as the balance is enough for. Answers the charges and the numbers before them.
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
            return Ok((vec![NOBODY; costs.len()], Numbers::default()));
        };
        let charges = charge(balance, costs.iter().copied());
        let some = Sum::of(paid(&charges, costs));
        let numbers = self.deduct(org_id, some).await?.map_or(Numbers::default(), |(_, entries, rows)| {
            Numbers { entries: entries - some.entries, rows: rows - some.rows }
        });
        Ok((charges, numbers))
    }

    /// Writes rows with everything that belongs to them.
    pub(crate) async fn insert_rows(&mut self, rows: &Rows<'_>) -> Result<()> {
        self.insert_logs(&rows.logs).await?;
        self.insert_credit_entries(&rows.entries).await?;
        self.insert_pii_tokens(&rows.tokens).await?;
        for decision in &rows.decisions {
            self.insert_aftermath(decision).await?;
        }
        for (org_id, events) in &rows.events {
            self.insert_events(*org_id, events).await?;
        }
        Ok(())
    }

    async fn insert_logs(&mut self, logs: &[(i64, &Log, &LogDetail)]) -> Result<()> {
        on!(self.connection(), |c| {
            for piece in pieces(logs) {
                let mut query = QueryBuilder::new("INSERT INTO logs (");
                query.push(logs::COLUMNS).push(", sequence, ").push(log_detail::COLUMNS).push(") ");
                // In the order of the columns.
                query.push_values(piece, |mut row, (sequence, log, detail)| {
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
                    row.push_bind(log.conversation_id.as_deref().map(storable));
                    row.push_bind(log.text.as_deref().map(storable)).push_bind(log.lang_code.as_deref());
                    row.push_bind(log.processing_time_ms).push_bind(log.credits);
                    row.push_bind(storable(&log.correlation_id)).push_bind(&log.model_version);
                    row.push_bind(log.mark.as_deref()).push_bind(*sequence);
                    row.push_bind(&detail.confidences).push_bind(&detail.timing);
                    row.push_bind(detail.sealed_text.as_deref()).push_bind(detail.mark_note.as_deref());
                });
                query.build().execute(&mut *c).await?;
            }
        });
        Ok(())
    }
}
