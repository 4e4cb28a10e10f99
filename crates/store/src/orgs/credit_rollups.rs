//! Roll-up of the ledger: entries of past days become one sum per day and operation.
//!
//! Entries that set a balance (`initial`, `set`) stay as they are. Between two of them, the sums replace the entries:
//! the balances around them do not change, and the amounts still add up to the balance. Within them, additions take
//! the place of their first entry and charges that of their last, so no balance in between is below zero.

use std::collections::BTreeMap;

use sqlx::QueryBuilder;
use uuid::Uuid;

use super::credits::COLUMNS;
use crate::db::Tx;
use crate::{CreditEntry, Db, Result, Timestamp};

/// Entries summed up in one transaction.
const BATCH: i64 = 1000;
/// Earlier sums that a batch may add to. With more sums than these in a day, a day has two sums of one operation.
const EARLIER_SUMS: i64 = 64;

impl Db {
    /// Sums up some ledger entries of days (UTC) that ended before that time, oldest first. Returns how many entries it
    /// read; 0 when all are summed up.
    pub async fn roll_up_credits(&self, org_id: Uuid, before: Timestamp) -> Result<usize> {
        let before = before.start_of_day();
        let mut tx = self.write().await?;
        let position = tx.lock_credit_rollup(org_id).await?;
        let mut batch = tx.credit_entries_after(org_id, position).await?;
        batch.truncate(batch.iter().take_while(|entry| entry.created_at < before).count());
        let Some(last) = batch.last().map(|entry| entry.sequence) else { return Ok(0) };
        let read = batch.len();
        let mut entries = tx.last_credit_sums(org_id, position).await?;
        entries.extend(batch);
        tx.replace_credit_entries(org_id, &entries, &sum_by_day(entries.clone())).await?;
        tx.advance_credit_rollup(org_id, last).await?;
        tx.commit().await?;
        Ok(read)
    }
}

impl Tx {
    /// Returns the last sequence that is summed up and locks its row until the transaction ends.
    async fn lock_credit_rollup(&mut self, org_id: Uuid) -> Result<i64> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar::<_, i64>(
                "INSERT INTO credit_rollups (org_id, sequence) VALUES ($1, 0)
                 ON CONFLICT (org_id) DO UPDATE SET sequence = credit_rollups.sequence RETURNING sequence",
            )
            .bind(org_id)
            .fetch_one(c)
            .await?
        }))
    }

    async fn advance_credit_rollup(&mut self, org_id: Uuid, sequence: i64) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query("UPDATE credit_rollups SET sequence = $2 WHERE org_id = $1")
                .bind(org_id)
                .bind(sequence)
                .execute(c)
                .await?;
        });
        Ok(())
    }

    async fn credit_entries_after(&mut self, org_id: Uuid, sequence: i64) -> Result<Vec<CreditEntry>> {
        Ok(on!(self.connection(), |c| {
            let mut query = QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM credit_entries WHERE org_id = ").push_bind(org_id);
            query.push(" AND sequence > ").push_bind(sequence);
            query.push(" ORDER BY sequence LIMIT ").push_bind(BATCH);
            query.build_query_as().fetch_all(c).await?
        }))
    }

    /// Returns the newest entries up to a sequence, oldest first.
    async fn last_credit_sums(&mut self, org_id: Uuid, sequence: i64) -> Result<Vec<CreditEntry>> {
        let mut sums: Vec<CreditEntry> = on!(self.connection(), |c| {
            let mut query = QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM credit_entries WHERE org_id = ").push_bind(org_id);
            query.push(" AND sequence <= ").push_bind(sequence);
            query.push(" ORDER BY sequence DESC LIMIT ").push_bind(EARLIER_SUMS);
            query.build_query_as().fetch_all(c).await?
        });
        sums.reverse();
        Ok(sums)
    }

    /// Replaces consecutive entries.
    async fn replace_credit_entries(
        &mut self,
        org_id: Uuid,
        old: &[CreditEntry],
        new: &[CreditEntry],
    ) -> Result<()> {
        let [first, .., last] = old else { return Ok(()) };
        on!(self.connection(), |c| {
            sqlx::query("DELETE FROM credit_entries WHERE org_id = $1 AND sequence >= $2 AND sequence <= $3")
                .bind(org_id)
                .bind(first.sequence)
                .bind(last.sequence)
                .execute(c)
                .await?;
        });
        self.insert_credit_entries(new).await
    }
}

/// Sums up consecutive entries, oldest first.
fn sum_by_day(entries: Vec<CreditEntry>) -> Vec<CreditEntry> {
    let mut summed = Vec::new();
    let mut run = Vec::new();
    for entry in entries {
        if sets_balance(&entry) {
            summed.extend(sum_run(std::mem::take(&mut run)));
            summed.push(entry);
        } else {
            run.push(entry);
        }
    }
    summed.extend(sum_run(run));
    summed
}

fn sets_balance(entry: &CreditEntry) -> bool {
    matches!(entry.operation.as_str(), "initial" | "set")
}

/// Sums up a run of entries that only add or spend.
fn sum_run(run: Vec<CreditEntry>) -> Vec<CreditEntry> {
    let Some(first) = run.first() else { return Vec::new() };
    let mut balance = first.balance_after - first.amount;
    let mut sums = BTreeMap::<(Timestamp, String, bool), CreditEntry>::new();
    for entry in run {
        let key = (entry.created_at.start_of_day(), entry.operation.clone(), entry.amount < 0);
        match sums.remove(&key) {
            Some(sum) => sums.insert(key, add(&sum, entry)),
            None => sums.insert(key, entry),
        };
    }
    let mut sums: Vec<_> = sums.into_values().collect();
    sums.sort_by_key(|sum| sum.sequence);
    for sum in &mut sums {
        balance += sum.amount;
        sum.balance_after = balance;
    }
    sums
}

fn add(sum: &CreditEntry, next: CreditEntry) -> CreditEntry {
    let amount = sum.amount + next.amount;
    CreditEntry {
        sequence: if amount < 0 { next.sequence } else { sum.sequence },
        created_at: sum.created_at.max(next.created_at),
        amount,
        log_id: None,
        entries: sum.entries + next.entries,
        ..next
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A ledger of changes: hour, operation, amount.
    fn ledger(changes: &[(i64, &str, i64)]) -> Vec<CreditEntry> {
        let mut balance = 0;
        let entry = |(index, (hour, operation, amount)): (usize, &(i64, &str, i64))| {
            balance += amount;
            CreditEntry {
                org_id: Uuid::nil(),
                sequence: index as i64 + 1,
                entry_id: Uuid::from_u128(index as u128),
                created_at: Timestamp::from_micros(hour * 3_600_000_000),
                operation: (*operation).to_owned(),
                amount: *amount,
                balance_after: balance,
                log_id: Some(Uuid::from_u128(index as u128)),
                entries: 1,
            }
        };
        changes.iter().enumerate().map(entry).collect()
    }

    fn shown(entries: &[CreditEntry]) -> Vec<(i64, &str, i64, i64, i64)> {
        let shown = |entry: &CreditEntry| (entry.sequence, entry.amount, entry.balance_after, entry.entries);
        let with_name = entries.iter().map(|entry| (shown(entry), entry.operation.as_str()));
        with_name
            .map(|((sequence, amount, after, count), name)| (sequence, name, amount, after, count))
            .collect()
    }

    #[test]
    fn entries_of_a_day_become_one_sum_per_operation() {
        let changes = [("initial", 90), ("analyze", -1), ("mask", -2), ("analyze", -1), ("mask", -2)];
        let mut changes: Vec<_> =
            changes.iter().map(|(operation, amount)| (1, *operation, *amount)).collect();
        changes.push((25, "analyze", -1));
        let summed = sum_by_day(ledger(&changes));
        let expected = [
            (1, "initial", 90, 90, 1),
            (4, "analyze", -2, 88, 2),
            (5, "mask", -4, 84, 2),
            (6, "analyze", -1, 83, 1),
        ];
        assert_eq!(shown(&summed), expected);
        assert_eq!(summed[1].log_id, None);
        assert_eq!(summed[3].log_id, Some(Uuid::from_u128(5)));
    }

    #[test]
    fn a_balance_that_was_set_stays_between_the_sums() {
        let changes =
            [(1, "initial", 9), (1, "analyze", -4), (1, "set", 15), (2, "analyze", -1), (3, "analyze", -1)];
        let expected = [
            (1, "initial", 9, 9, 1),
            (2, "analyze", -4, 5, 1),
            (3, "set", 15, 20, 1),
            (5, "analyze", -2, 18, 2),
        ];
        assert_eq!(shown(&sum_by_day(ledger(&changes))), expected);
    }

    fn changes() -> impl Strategy<Value = Vec<(i64, &'static str, i64)>> {
        let operation = prop::sample::select(vec![("set", 1), ("refund", 1), ("analyze", -1), ("audio", -1)]);
        let change = (0..72_i64, operation, 1..9_i64);
        prop::collection::vec(
            change.prop_map(|(hour, (name, sign), amount)| (hour, name, sign * amount)),
            0..40,
        )
        .prop_map(|mut changes| {
            let mut balance = 0;
            changes.retain(|(_, _, amount)| {
                let is_covered = balance + amount >= 0;
                balance += if is_covered { *amount } else { 0 };
                is_covered
            });
            changes
        })
    }

    proptest! {
        #[test]
        fn sums_follow_each_other_without_debt_and_in_any_batches(changes in changes(), cut in 0..40_usize) {
            let entries = ledger(&changes);
            let whole = sum_by_day(entries.clone());
            let mut balance = 0;
            for entry in &whole {
                balance += entry.amount;
                prop_assert_eq!(entry.balance_after, balance);
                prop_assert!(balance >= 0);
            }
            prop_assert_eq!(balance, changes.iter().map(|(_, _, amount)| amount).sum::<i64>());
            prop_assert_eq!(whole.iter().map(|entry| entry.entries).sum::<i64>(), changes.len() as i64);
            prop_assert!(whole.is_sorted_by(|one, next| one.sequence < next.sequence));
            let (earlier, later) = entries.split_at(cut.min(entries.len()));
            let batched = sum_by_day([sum_by_day(earlier.to_vec()), later.to_vec()].concat());
            prop_assert_eq!(batched, whole);
        }
    }
}
