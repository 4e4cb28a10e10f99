//! Replay of decisions that were answered while the database was unreachable.

use guardengine_store::{DecisionRecord, LogEntry};
use uuid::Uuid;

use crate::fixtures::{log, on_both, org};

fn decision(org_id: Uuid, second: i64, credits: i64) -> DecisionRecord {
    DecisionRecord::of(LogEntry { credits, ..log(org_id, second) }, "analyze")
}

#[tokio::test]
async fn a_repeated_replay_writes_and_charges_once() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        let batch: Vec<_> = (1..=3).map(|second| decision(acme.id, second, 2)).collect();
        db.commit_decisions(&batch[..1]).await.unwrap();
        assert_eq!(db.replay_decisions(&batch).await.unwrap(), 2);
        assert_eq!(db.replay_decisions(&batch).await.unwrap(), 0);
        assert_eq!(db.balance(acme.id).await.unwrap(), Some(4));
        for one in &batch {
            assert_eq!(db.log(acme.id, one.log.id).await.unwrap().as_ref(), Some(&one.log));
        }
        assert_eq!(db.credit_entries(acme.id, None, 9).await.unwrap().len(), 4);
        assert_eq!(db.last_log_sequence(acme.id).await.unwrap(), 3);
    })
    .await;
}

#[tokio::test]
async fn a_duplicate_in_one_replay_is_written_once() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        let one = decision(acme.id, 1, 3);
        assert_eq!(db.replay_decisions(&[one.clone(), one]).await.unwrap(), 1);
        assert_eq!(db.balance(acme.id).await.unwrap(), Some(7));
    })
    .await;
}

#[tokio::test]
async fn a_replay_charges_at_most_the_remaining_balance() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 5).await;
        let batch: Vec<_> = (1..=3).map(|second| decision(acme.id, second, 3)).collect();
        assert_eq!(db.replay_decisions(&batch).await.unwrap(), 3);
        let mut charged = Vec::new();
        for one in &batch {
            charged.push(db.log(acme.id, one.log.id).await.unwrap().unwrap().credits);
        }
        assert_eq!((charged, db.balance(acme.id).await.unwrap()), (vec![3, 2, 0], Some(0)));
    })
    .await;
}

#[tokio::test]
async fn decisions_of_a_deleted_organization_are_skipped() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 5).await;
        let batch = [decision(Uuid::max(), 1, 1), decision(acme.id, 2, 1)];
        assert_eq!(db.replay_decisions(&batch).await.unwrap(), 1);
    })
    .await;
}
