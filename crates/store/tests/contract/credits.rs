//! Balances and the ledger.

use std::time::Duration;

use guardengine_store::{DecisionRecord, LogEntry, Period, new_id};
use uuid::Uuid;

use crate::fixtures::{at, change, log, on_both, org};

#[tokio::test]
async fn setting_a_balance_adds_a_ledger_entry() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 50).await;
        assert!(change!(db.set_credits(acme.id, 20, 0, at(1))).await.unwrap());
        assert_eq!(db.balance(acme.id).await.unwrap(), Some(20));
        let newest = db.credit_entries(acme.id, None, 1).await.unwrap();
        let entry = &newest[0];
        assert_eq!((entry.operation.as_str(), entry.amount, entry.balance_after), ("set", -30, 20));
    })
    .await;
}

#[tokio::test]
async fn an_unknown_organization_has_no_balance() {
    on_both(async |db| {
        assert!(!change!(db.set_credits(Uuid::nil(), 5, 0, at(0))).await.unwrap());
        assert_eq!(db.balance(Uuid::nil()).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn the_ledger_is_paged_newest_first_without_loss() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 0).await;
        for second in 1..=6 {
            change!(db.set_credits(acme.id, second, 0, at(second))).await.unwrap();
        }
        let newer = db.credit_entries(acme.id, None, 4).await.unwrap();
        let older = db.credit_entries(acme.id, newer.last().map(|entry| entry.sequence), 4).await.unwrap();
        let seen: Vec<_> = newer.iter().chain(&older).map(|entry| entry.balance_after).collect();
        assert_eq!(seen, [6, 5, 4, 3, 2, 1, 0]);
    })
    .await;
}

#[tokio::test]
async fn the_ledger_of_a_period_is_paged_by_time_without_loss() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 0).await;
        // The fourth change is recorded late, as after an outage of the database.
        for (balance, second) in [(1, 10), (2, 20), (3, 30), (4, 15), (5, 40), (6, 40)] {
            change!(db.set_credits(acme.id, balance, 0, at(second))).await.unwrap();
        }
        let read = async |from, to, limit| {
            let (mut seen, mut before) = (Vec::new(), None);
            loop {
                let period = Period { from: at(from), to: at(to) };
                let page = db.credit_entries_in(acme.id, period, before, limit).await.unwrap();
                let Some(last) = page.last() else { return seen };
                before = Some(last.sequence);
                seen.extend(page.iter().map(|entry| entry.balance_after));
            }
        };
        for limit in 1..=7 {
            assert_eq!(read(0, 50, limit).await, [6, 5, 3, 2, 4, 1, 0]);
            assert_eq!(read(15, 40, limit).await, [3, 2, 4]);
            assert_eq!(read(50, 60, limit).await, [0; 0]);
        }
    })
    .await;
}

#[tokio::test]
async fn days_that_ended_become_sums_and_the_balance_stays() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 5_000).await;
        let (day, noon) = (86_400, at(24 * 3600));
        let decisions = (0..2_500).map(|index| {
            let created_at = noon + Duration::from_secs(if index < 1_700 { index } else { day + index });
            let log = LogEntry { id: new_id(created_at), created_at, credits: 2, ..log(acme.id, 0) };
            DecisionRecord::of(log, if index % 2 == 0 { "analyze" } else { "mask" })
        });
        db.commit_decisions(&decisions.collect::<Vec<_>>()).await.unwrap();
        let mut read = Vec::new();
        while let count @ 1.. = db.roll_up_credits(acme.id, noon + Duration::from_secs(day)).await.unwrap() {
            read.push(count);
        }
        assert_eq!(read, [1000, 701]);
        let ledger = db.credit_entries(acme.id, None, 5_000).await.unwrap();
        assert_eq!(ledger.len(), 800 + 3);
        let sums: Vec<_> = ledger[800..]
            .iter()
            .map(|entry| (entry.operation.as_str(), entry.amount, entry.balance_after, entry.entries))
            .collect();
        let expected =
            [("mask", -1_700, 1_600, 850), ("analyze", -1_700, 3_300, 850), ("initial", 5_000, 5_000, 1)];
        assert_eq!(sums, expected);
        assert!(ledger[800..].iter().all(|entry| entry.log_id.is_none()));
        assert_eq!(db.balance(acme.id).await.unwrap(), Some(ledger.iter().map(|entry| entry.amount).sum()));
    })
    .await;
}
