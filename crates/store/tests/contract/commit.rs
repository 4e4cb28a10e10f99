//! Commits of decisions: log entries, charges, tokens.

use guardengine_store::{Charge, DecisionRecord, LogEntry, PiiToken};
use uuid::Uuid;

use crate::fixtures::{log, on_both, org};

fn decision(org_id: Uuid, second: i64, credits: i64) -> DecisionRecord {
    let log = LogEntry { credits, ..log(org_id, second) };
    DecisionRecord::of(log, "analyze")
}

#[tokio::test]
async fn a_decision_writes_its_log_entry_its_ledger_entry_and_its_tokens() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        let token = PiiToken { token: "t".into(), kind: "email".into(), sealed: b"s".to_vec() };
        let made = DecisionRecord { tokens: vec![token.clone()], ..decision(acme.id, 1, 3) };
        let charges = db.commit_decisions(std::slice::from_ref(&made)).await.unwrap();
        assert_eq!(charges, [Charge::Paid { balance: 7 }]);
        assert_eq!(db.log(acme.id, made.log.id).await.unwrap(), Some(made.log.clone()));
        let entry = db.credit_entries(acme.id, None, 1).await.unwrap().remove(0);
        assert_eq!((entry.amount, entry.balance_after, entry.log_id), (-3, 7, Some(made.log.id)));
        assert_eq!(db.pii_tokens(acme.id, &["t".into()]).await.unwrap(), [token]);
    })
    .await;
}

#[tokio::test]
async fn an_unpaid_decision_writes_nothing() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 5).await;
        let batch: Vec<_> =
            [2, 9, 3, 1].iter().zip(1..).map(|(cost, at)| decision(acme.id, at, *cost)).collect();
        let charges = db.commit_decisions(&batch).await.unwrap();
        let (paid, short) = (|balance| Charge::Paid { balance }, |balance| Charge::Insufficient { balance });
        assert_eq!(charges, [paid(3), short(3), paid(0), short(0)]);
        assert_eq!(db.balance(acme.id).await.unwrap(), Some(0));
        assert_eq!(db.log(acme.id, batch[1].log.id).await.unwrap(), None);
        assert_eq!(db.credit_entries(acme.id, None, 9).await.unwrap().len(), 3);
    })
    .await;
}

#[tokio::test]
async fn a_free_decision_has_no_ledger_entry() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 0).await;
        let free = decision(acme.id, 1, 0);
        let charges = db.commit_decisions(std::slice::from_ref(&free)).await.unwrap();
        assert_eq!(charges, [Charge::Paid { balance: 0 }]);
        assert!(db.log(acme.id, free.log.id).await.unwrap().is_some());
        assert_eq!(db.credit_entries(acme.id, None, 9).await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn organizations_in_one_batch_pay_separately() {
    on_both(async |db| {
        let (rich, poor) = (org(&db, "Rich", 100).await, org(&db, "Poor", 1).await);
        let batch = [
            decision(poor.id, 1, 2),
            decision(rich.id, 2, 2),
            decision(Uuid::nil(), 3, 0),
            decision(rich.id, 4, 5),
        ];
        let charges = db.commit_decisions(&batch).await.unwrap();
        let expected = [
            Charge::Insufficient { balance: 1 },
            Charge::Paid { balance: 98 },
            Charge::Insufficient { balance: 0 },
            Charge::Paid { balance: 93 },
        ];
        assert_eq!(charges, expected);
    })
    .await;
}

#[tokio::test]
async fn batches_of_any_size_are_written_completely() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1000).await;
        for size in [0, 1, 7, 8, 31, 33, 75] {
            let batch: Vec<_> = (0..size).map(|_| decision(acme.id, 1, 1)).collect();
            assert_eq!(db.commit_decisions(&batch).await.unwrap().len(), size);
            for made in &batch {
                assert_eq!(db.log(acme.id, made.log.id).await.unwrap().as_ref(), Some(&made.log));
            }
        }
        assert_eq!(db.balance(acme.id).await.unwrap(), Some(1000 - 155));
    })
    .await;
}

#[tokio::test]
async fn a_batch_that_fails_charges_nothing() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        let twice = decision(acme.id, 1, 1);
        assert!(db.commit_decisions(&[twice.clone(), twice.clone()]).await.is_err());
        assert_eq!(db.balance(acme.id).await.unwrap(), Some(10));
        assert_eq!(db.log(acme.id, twice.log.id).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_nul_in_a_text_is_stored_as_its_symbol() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        let mut made = decision(acme.id, 1, 1);
        made.log.text = Some("a\0b".into());
        db.commit_decisions(std::slice::from_ref(&made)).await.unwrap();
        let stored = db.log(acme.id, made.log.id).await.unwrap().unwrap();
        assert_eq!(stored.text.as_deref(), Some("a\u{2400}b"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thirty_two_writers_spend_one_balance_exactly() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        let writers: Vec<_> = (0..32)
            .map(|writer| {
                let (db, org_id) = (db.clone(), acme.id);
                tokio::spawn(async move {
                    let batch: Vec<_> = (0..5).map(|_| decision(org_id, writer, 1)).collect();
                    db.commit_decisions(&batch).await.unwrap()
                })
            })
            .collect();
        let mut left = Vec::new();
        for writer in writers {
            left.extend(writer.await.unwrap().into_iter().filter_map(|charge| match charge {
                Charge::Paid { balance } => Some(balance),
                Charge::Insufficient { .. } | Charge::ChallengeClosed | Charge::JobLost => None,
            }));
        }
        left.sort_unstable();
        assert_eq!(left, (0..100).collect::<Vec<_>>());
        assert_eq!(db.balance(acme.id).await.unwrap(), Some(0));
        let entries = db.credit_entries(acme.id, None, 500).await.unwrap();
        assert_eq!(entries.len(), 101);
        assert!(
            entries.is_sorted_by_key(|entry| entry.balance_after),
            "ledger entries are in the order of the balance"
        );
    })
    .await;
}

/// Each writer locks the rows of many organizations. If two locked them in different orders, one would be
/// refused.
#[tokio::test(flavor = "multi_thread")]
async fn writers_of_many_organizations_never_deadlock() {
    on_both(async |db| {
        let mut orgs = Vec::new();
        for number in 0..45 {
            // The last organization can pay for some of its decisions only.
            let credits = if number < 40 { 1_000 } else { 7 };
            orgs.push(org(&db, &format!("Org {number}"), credits).await.id);
        }
        let writers: Vec<_> = (0..16)
            .map(|writer| {
                let (db, mut orgs) = (db.clone(), orgs.clone());
                tokio::spawn(async move {
                    for round in 0..5 {
                        orgs.rotate_left(writer + round);
                        let batch: Vec<_> = orgs.iter().map(|org| decision(*org, 1, 1)).collect();
                        db.commit_decisions(&batch).await.unwrap();
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.await.unwrap();
        }
        for (number, org) in orgs.iter().enumerate() {
            let (balance, paid) = if number < 40 { (920, 80) } else { (0, 7) };
            assert_eq!(db.balance(*org).await.unwrap(), Some(balance));
            let entries = db.credit_entries(*org, None, 200).await.unwrap();
            let numbers: Vec<i64> = entries.iter().rev().map(|entry| entry.sequence).collect();
            assert_eq!(numbers, (1..=paid + 1).collect::<Vec<_>>());
            assert_eq!(entries[0].balance_after, balance);
        }
    })
    .await;
}
