//! Trust values of end users, compared with the formula.

use guardengine_store::{Db, DecisionRecord, LogEntry, SideEffects, Trust, TrustEvent, TrustUpdate};
use proptest::prelude::*;
use uuid::Uuid;

use crate::fixtures::{at, log, on_both, on_sqlite, org};

const DAY: i64 = 86_400;

async fn happens(db: &Db, org_id: Uuid, subject: u8, event: TrustEvent, second: i64) {
    let moved = TrustUpdate { subject: [subject; 32], event };
    let side_effects = SideEffects { trust: Some(moved), ..SideEffects::default() };
    let log = LogEntry { credits: 0, ..log(org_id, second) };
    db.commit_decisions(&[DecisionRecord { side_effects, ..DecisionRecord::of(log, "autonomous") }])
        .await
        .unwrap();
}

async fn value(db: &Db, org_id: Uuid, subject: u8, second: i64) -> f64 {
    db.trust(org_id, &[subject; 32], at(second)).await.unwrap()
}

#[tokio::test]
async fn a_decision_affects_one_end_user_of_one_organization() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 1).await, org(&db, "Other", 1).await);
        assert_eq!(value(&db, acme.id, 1, 0).await, Trust::START);
        happens(&db, acme.id, 1, TrustEvent::Blocked, 0).await;
        assert_eq!(value(&db, acme.id, 1, 0).await, 0.35);
        assert_eq!(value(&db, acme.id, 2, 0).await, Trust::START);
        assert_eq!(value(&db, other.id, 1, 0).await, Trust::START);
    })
    .await;
}

#[tokio::test]
async fn no_concurrent_decision_is_lost() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let tasks: Vec<_> = (0..16)
            .map(|_| {
                let db = db.clone();
                tokio::spawn(async move { happens(&db, acme.id, 1, TrustEvent::Challenged, 0).await })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        let expected =
            (0..16).fold(Trust::initial(at(0)), |trust, _| trust.after(TrustEvent::Challenged, at(0)));
        assert_eq!(value(&db, acme.id, 1, 0).await, expected.at(at(0)));
    })
    .await;
}

#[tokio::test]
async fn only_neutral_values_are_deleted() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        happens(&db, acme.id, 1, TrustEvent::Blocked, 0).await;
        happens(&db, acme.id, 2, TrustEvent::Allowed, 0).await;
        assert_eq!(db.delete_neutral_trust(at(0)).await.unwrap(), 0);
        assert_eq!(db.delete_neutral_trust(at(7 * DAY)).await.unwrap(), 1);
        assert!(value(&db, acme.id, 1, 7 * DAY).await < 0.43);
        assert_eq!(db.delete_neutral_trust(at(28 * DAY)).await.unwrap(), 1);
    })
    .await;
}

#[derive(Clone, Debug)]
enum Happening {
    Wait(i64),
    Decision(usize, TrustEvent),
    Sweep,
}

fn happening() -> impl Strategy<Value = Happening> {
    let event = prop::sample::select(&TrustEvent::ALL[..]);
    prop_oneof![
        3 => prop_oneof![0..60_i64, 0..40 * DAY].prop_map(Happening::Wait),
        6 => (0..4_usize, event).prop_map(|(who, event)| Happening::Decision(who, event)),
        1 => Just(Happening::Sweep),
    ]
}

/// Compares the store with the model, for two end users in each of two organizations: 0 and 1, 2 and 3.
async fn follows_its_model(db: Db, happenings: Vec<Happening>) {
    let orgs = [org(&db, "Acme", 1).await.id, org(&db, "Other", 1).await.id];
    let (mut now, mut model) = (0, [Trust::initial(at(0)); 4]);
    let subject = |who: usize| (who % 2) as u8;
    for happening in happenings {
        match happening {
            Happening::Wait(seconds) => now += seconds,
            Happening::Decision(who, event) => {
                model[who] = model[who].after(event, at(now));
                happens(&db, orgs[who / 2], subject(who), event, now).await;
            }
            Happening::Sweep => {
                db.delete_neutral_trust(at(now)).await.unwrap();
            }
        }
        for (who, trust) in model.iter().enumerate() {
            let stored = value(&db, orgs[who / 2], subject(who), now).await;
            assert!(
                (stored - trust.at(at(now))).abs() < 1e-9 && (0.0..=1.0).contains(&stored),
                "{who} at {now}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_end_user_follows_the_formula_alone(happenings in prop::collection::vec(happening(), 1..30)) {
        on_sqlite(|db| follows_its_model(db, happenings));
    }
}
