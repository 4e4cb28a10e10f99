//! Event subscriptions: creation, changes, claims, delivery progress, replay.

use guardengine_store::{
    Changed, Connector, ConnectorFields, Created, Db, DecisionRecord, Deleted, DeliveryFailure,
    DeliveryProgress, EventSubscription, Org, SideEffects, SubscriptionFields, new_id,
};
use uuid::Uuid;

use crate::fixtures::{at, change, done, event, log, on_both, org};

const ALL: SubscriptionFields<'_> = SubscriptionFields { kinds: None, projects: None, enabled: true };

async fn webhook(db: &Db, org: &Org, name: &str) -> Uuid {
    let text = ConnectorFields { name, enabled: true, settings: "{}", secrets: "{}", check_at: at(0) };
    let new = Connector::new(new_id(at(0)), org.id, "webhook", text, at(0));
    done(change!(db.create_connector(new)).await.unwrap()).id
}

/// A subscription of a webhook of its own.
async fn subscribed(db: &Db, org: &Org, name: &str) -> EventSubscription {
    let own = (org.id, new_id(at(0)));
    let connector = webhook(db, org, name).await;
    done(change!(db.create_event_subscription(own, connector, ALL, at(0))).await.unwrap())
}

async fn happened(db: &Db, org: &Org, times: i64) {
    let decision = |second| {
        let side_effects =
            SideEffects { event: Some(event(second, "decision.blocked")), ..SideEffects::default() };
        DecisionRecord { side_effects, ..DecisionRecord::of(log(org.id, second), "analyze") }
    };
    db.commit_decisions(&(0..times).map(decision).collect::<Vec<_>>()).await.unwrap();
}

async fn claimed(db: &Db, second: i64) -> Vec<EventSubscription> {
    db.claim_due_subscriptions(at(second), at(second + 60), 9).await.unwrap()
}

async fn read(db: &Db, one: &EventSubscription) -> EventSubscription {
    db.event_subscription(one.org_id, one.id).await.unwrap().expect("it is there")
}

fn arrived(position: i64) -> DeliveryProgress<'static> {
    DeliveryProgress { position, delivered: true, failure: None }
}

fn failed(position: i64, delivered: bool, retry_at: i64) -> DeliveryProgress<'static> {
    let failure = Some(DeliveryFailure { retry_at: at(retry_at), error: "it answered 503", counts: true });
    DeliveryProgress { position, delivered, failure }
}

#[tokio::test]
async fn a_webhook_has_one_subscription_for_events_from_then_on() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 99).await, org(&db, "Other", 99).await);
        happened(&db, &acme, 3).await;
        let made = subscribed(&db, &acme, "hook").await;
        assert_eq!((made.position, made.version, made.enabled), (3, 1, true));
        let again = (acme.id, new_id(at(1)));
        let taken =
            change!(db.create_event_subscription(again, made.connector_id, ALL, at(1))).await.unwrap();
        assert_eq!(taken, Created::NameTaken);
        assert!(
            change!(db.create_event_subscription(again, Uuid::max(), ALL, at(1)))
                .await
                .unwrap_err()
                .is_missing_reference()
        );
        assert_eq!(db.event_subscriptions(acme.id).await.unwrap(), std::slice::from_ref(&made));
        assert_eq!(db.event_subscriptions(other.id).await.unwrap(), []);
        assert_eq!(db.event_subscription(other.id, made.id).await.unwrap(), None);
        assert!(!change!(db.delete_event_subscription(other.id, made.id)).await.unwrap());
        assert_eq!(change!(db.replay_events(other.id, made.id, 0, at(1))).await.unwrap(), None);
        let in_use = Deleted::InUse(vec![]);
        assert_eq!(change!(db.delete_connector(acme.id, made.connector_id)).await.unwrap(), in_use);
        let of = db.subscription_of_connector(acme.id, made.connector_id).await.unwrap();
        assert_eq!(of, Some(made.id));
        assert!(change!(db.delete_event_subscription(acme.id, made.id)).await.unwrap());
        assert_eq!(change!(db.delete_connector(acme.id, made.connector_id)).await.unwrap(), Deleted::Done);
    })
    .await;
}

#[tokio::test]
async fn a_change_of_the_current_version_makes_the_subscription_due() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let (one, two) = (subscribed(&db, &acme, "one").await, subscribed(&db, &acme, "two").await);
        happened(&db, &acme, 1).await;
        for claim in claimed(&db, 1).await {
            db.record_delivery(&claim, failed(0, false, 500), at(1)).await.unwrap();
        }
        let text = SubscriptionFields { kinds: Some(r#"["credits.low"]"#), ..ALL };
        let update = async |read: &EventSubscription, connector| {
            change!(db.update_event_subscription(read, connector, text, at(2))).await.unwrap()
        };
        let Changed::Done(now) = update(&one, one.connector_id).await else { panic!("no change") };
        assert_eq!((now.version, now.kinds.as_deref(), now.position), (2, Some(r#"["credits.low"]"#), 0));
        assert_eq!(update(&one, one.connector_id).await, Changed::Stale);
        assert_eq!(update(&now, two.connector_id).await, Changed::NameTaken);
        assert_eq!(claimed(&db, 2).await.iter().map(|claim| claim.id).collect::<Vec<_>>(), [one.id]);
        change!(db.delete_event_subscription(acme.id, one.id)).await.unwrap();
        assert_eq!(update(&now, one.connector_id).await, Changed::Missing);
    })
    .await;
}

#[tokio::test]
async fn a_subscription_with_pending_events_is_leased_to_one_claim() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let one = subscribed(&db, &acme, "one").await;
        assert!(claimed(&db, 1).await.is_empty(), "there are no events yet");
        happened(&db, &acme, 2).await;
        let claim = || {
            let db = db.clone();
            tokio::spawn(async move { claimed(&db, 1).await })
        };
        let mut taken = Vec::new();
        for task in (0..4).map(|_| claim()).collect::<Vec<_>>() {
            taken.extend(task.await.unwrap());
        }
        assert_eq!(taken.iter().map(|claim| (claim.id, claim.claims)).collect::<Vec<_>>(), [(one.id, 1)]);
        assert!(claimed(&db, 60).await.is_empty());
        let again = claimed(&db, 61).await.remove(0);
        assert!(!db.record_delivery(&taken[0], arrived(2), at(61)).await.unwrap(), "the claim has expired");
        assert_eq!(read(&db, &one).await.position, 0);
        assert!(db.record_delivery(&again, arrived(2), at(62)).await.unwrap());
        let now = read(&db, &one).await;
        assert_eq!((now.position, now.last_delivered_at, now.leased_until), (2, Some(at(62)), at(62)));
        assert!(claimed(&db, 62).await.is_empty(), "all are delivered");
        happened(&db, &acme, 1).await;
        assert_eq!(claimed(&db, 62).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_failure_lasts_until_the_next_delivery() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let one = subscribed(&db, &acme, "one").await;
        happened(&db, &acme, 5).await;
        let end = async |second, delivered: DeliveryProgress<'_>| {
            let claim = claimed(&db, second).await.remove(0);
            assert!(db.record_delivery(&claim, delivered, at(second)).await.unwrap());
            let now = read(&db, &one).await;
            (now.position, now.failures, now.failing_since, now.last_error)
        };
        let last_error = || Some("it answered 503".to_owned());
        assert_eq!(end(1, failed(0, false, 10)).await, (0, 1, Some(at(1)), last_error()));
        assert!(claimed(&db, 9).await.is_empty());
        assert_eq!(end(10, failed(0, false, 20)).await, (0, 2, Some(at(1)), last_error()));
        assert_eq!(end(20, failed(2, true, 30)).await, (2, 1, Some(at(20)), last_error()), "some arrived");
        let resting = DeliveryFailure { retry_at: at(40), error: "rests", counts: false };
        let resting = DeliveryProgress { position: 2, delivered: false, failure: Some(resting) };
        assert_eq!(end(30, resting).await, (2, 1, Some(at(20)), Some("rests".to_owned())));
        assert_eq!(end(40, arrived(5)).await, (5, 0, None, None));
    })
    .await;
}

#[tokio::test]
async fn a_set_position_takes_precedence_over_a_claim() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let one = subscribed(&db, &acme, "one").await;
        happened(&db, &acme, 5).await;
        let claim = claimed(&db, 1).await.remove(0);
        let set_back = change!(db.replay_events(acme.id, one.id, 1, at(2))).await.unwrap().unwrap();
        assert_eq!((set_back.position, set_back.replays), (1, 1));
        assert!(claimed(&db, 3).await.is_empty(), "the claim excludes other replicas");
        assert!(db.record_delivery(&claim, failed(5, true, 500), at(4)).await.unwrap());
        let next = claimed(&db, 4).await.remove(0);
        assert_eq!(next.position, 1);
        assert!(db.record_delivery(&next, arrived(5), at(5)).await.unwrap());
        assert_eq!(read(&db, &one).await.position, 5);
    })
    .await;
}

#[tokio::test]
async fn a_disabled_subscription_is_not_claimed_and_loses_nothing() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let one = subscribed(&db, &acme, "one").await;
        let off = SubscriptionFields { enabled: false, ..ALL };
        let Changed::Done(off) =
            change!(db.update_event_subscription(&one, one.connector_id, off, at(1))).await.unwrap()
        else {
            panic!("no change")
        };
        happened(&db, &acme, 2).await;
        assert!(claimed(&db, 2).await.is_empty());
        change!(db.update_event_subscription(&off, one.connector_id, ALL, at(3))).await.unwrap();
        assert_eq!(claimed(&db, 3).await[0].position, 0);
    })
    .await;
}
