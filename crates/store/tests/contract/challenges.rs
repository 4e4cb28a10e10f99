//! Challenges, each answered at most once.

use guardengine_store::{Charge, Db, DecisionRecord, LogEntry, NewChallenge, SideEffects};
use uuid::Uuid;

use crate::fixtures::{at, log, on_both, org};

const HASH: [u8; 32] = [1; 32];
const OTHER: [u8; 32] = [2; 32];

fn setting(org_id: Uuid, hash: [u8; 32]) -> DecisionRecord {
    let challenge =
        NewChallenge { hash, principal_id: Uuid::from_u128(7), binding: [9; 32], expires_at: at(300) };
    let side_effects = SideEffects { challenge: Some(challenge), ..SideEffects::default() };
    DecisionRecord { side_effects, ..DecisionRecord::of(log(org_id, 0), "autonomous") }
}

fn answering(org_id: Uuid, hash: [u8; 32], second: i64) -> DecisionRecord {
    let side_effects = SideEffects { answered_challenge: Some(hash), ..SideEffects::default() };
    let log = LogEntry { credits: 0, ..log(org_id, second) };
    DecisionRecord { side_effects, ..DecisionRecord::of(log, "challenge") }
}

async fn charges(db: &Db, decisions: &[DecisionRecord]) -> Vec<bool> {
    let charges = db.commit_decisions(decisions).await.unwrap();
    charges.into_iter().map(|charge| charge != Charge::ChallengeClosed).collect()
}

#[tokio::test]
async fn a_challenge_is_answered_once_and_only_the_first_answer_is_written() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        db.commit_decisions(&[setting(acme.id, HASH)]).await.unwrap();
        let set = db.challenge(acme.id, &HASH).await.unwrap().unwrap();
        assert_eq!((set.principal_id, set.binding, set.answered_at), (Uuid::from_u128(7), vec![9; 32], None));
        let batch = [1, 2, 3].map(|second| answering(acme.id, HASH, second));
        assert_eq!(charges(&db, &batch).await, [true, false, false]);
        assert_eq!(charges(&db, &[answering(acme.id, HASH, 4)]).await, [false]);
        assert!(db.log(acme.id, batch[0].log.id).await.unwrap().is_some());
        assert_eq!(db.log(acme.id, batch[1].log.id).await.unwrap(), None);
        assert_eq!(db.challenge(acme.id, &HASH).await.unwrap().unwrap().answered_at, Some(at(1)));
        assert_eq!(db.last_log_sequence(acme.id).await.unwrap(), 2);
    })
    .await;
}

#[tokio::test]
async fn late_answers_and_unknown_or_foreign_challenges_are_refused() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 10).await, org(&db, "Other", 10).await);
        db.commit_decisions(&[setting(acme.id, HASH)]).await.unwrap();
        assert_eq!(db.challenge(other.id, &HASH).await.unwrap(), None);
        let batch = [
            answering(other.id, HASH, 1),
            answering(acme.id, OTHER, 1),
            answering(acme.id, HASH, 300),
            DecisionRecord::of(log(acme.id, 1), "analyze"),
        ];
        assert_eq!(charges(&db, &batch).await, [false, false, false, true]);
        assert_eq!(charges(&db, &[answering(acme.id, HASH, 299)]).await, [true]);
    })
    .await;
}

#[tokio::test]
async fn one_of_many_concurrent_answers_is_written() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        db.commit_decisions(&[setting(acme.id, HASH), setting(acme.id, OTHER)]).await.unwrap();
        let answer = |number: i64| {
            let db = db.clone();
            let batch = [answering(acme.id, HASH, number), answering(acme.id, OTHER, number)];
            tokio::spawn(async move { charges(&db, &batch).await })
        };
        let tasks: Vec<_> = (1..9).map(answer).collect();
        let mut written = 0;
        for task in tasks {
            written += task.await.unwrap().into_iter().filter(|written| *written).count();
        }
        assert_eq!(written, 2);
    })
    .await;
}

#[tokio::test]
async fn expired_challenges_are_deleted() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        db.commit_decisions(&[setting(acme.id, HASH)]).await.unwrap();
        assert_eq!(db.delete_challenges_before(at(300)).await.unwrap(), 0);
        assert_eq!(db.delete_challenges_before(at(301)).await.unwrap(), 1);
        assert_eq!(db.challenge(acme.id, &HASH).await.unwrap(), None);
    })
    .await;
}
