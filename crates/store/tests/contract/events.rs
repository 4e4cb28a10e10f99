//! Events: written with the change that they report, numbered in order of commit.

use guardengine_store::{
    CREDITS_LOW, Charge, CheckResult, ConnectorFields, Db, DecisionRecord, Event, EventFilter, LogEntry,
    LogScope, NewEvent, NewReview, ReviewDecision, SideEffects, new_id,
};
use uuid::Uuid;

use crate::fixtures::{ANN, BOB, at, change, done, event, log, on_both, org};

const BLOCKED: &str = "decision.blocked";
const MASKED: &str = "decision.masked";

/// A decision of that second with an event.
fn with_event(org_id: Uuid, second: i64, kind: &'static str) -> DecisionRecord {
    let side_effects = SideEffects { event: Some(event(second, kind)), ..SideEffects::default() };
    DecisionRecord { side_effects, ..DecisionRecord::of(log(org_id, second), "analyze") }
}

async fn all(db: &Db, org_id: Uuid) -> Vec<Event> {
    db.events_after(org_id, &EventFilter::default(), 0, 500).await.unwrap().events
}

async fn kinds(db: &Db, org_id: Uuid) -> Vec<(i64, String)> {
    all(db, org_id).await.into_iter().map(|event| (event.sequence, event.kind)).collect()
}

fn numbered(kinds: &[&str]) -> Vec<(i64, String)> {
    (1..).zip(kinds.iter().map(|kind| (*kind).to_owned())).collect()
}

#[tokio::test]
async fn an_event_is_written_with_its_decision_or_not_at_all() {
    on_both(async |db| {
        let (acme, poor) = (org(&db, "Acme", 10).await, org(&db, "Poor", 0).await);
        let quiet = DecisionRecord::of(log(acme.id, 1), "analyze");
        let batch = [
            with_event(acme.id, 0, BLOCKED),
            quiet,
            with_event(poor.id, 0, BLOCKED),
            with_event(acme.id, 2, MASKED),
        ];
        let charges = db.commit_decisions(&batch).await.unwrap();
        assert_eq!(charges[2], Charge::Insufficient { balance: 0 });
        assert_eq!(kinds(&db, acme.id).await, numbered(&[BLOCKED, MASKED]));
        assert_eq!(all(&db, poor.id).await, []);
        let first = all(&db, acme.id).await.remove(0);
        let stored = batch[0].side_effects.event.clone().unwrap();
        assert_eq!((first.id, first.created_at, first.payload), (stored.id, at(0), stored.payload));
    })
    .await;
}

#[tokio::test]
async fn concurrent_events_are_numbered_in_order_of_commit_without_gaps() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1000).await;
        let write = |writer: i64| {
            let db = db.clone();
            tokio::spawn(async move {
                for round in 0..5 {
                    let batch: Vec<_> = (0..7)
                        .map(|at| with_event(acme.id, writer * 100 + round * 10 + at, BLOCKED))
                        .collect();
                    db.commit_decisions(&batch).await.unwrap();
                }
            })
        };
        let read = {
            let db = db.clone();
            tokio::spawn(async move {
                let mut seen = Vec::new();
                while seen.len() < 140 {
                    let after = seen.last().copied().unwrap_or(0);
                    let page = db.events_after(acme.id, &EventFilter::default(), after, 3).await.unwrap();
                    seen.extend(page.events.iter().map(|event| event.sequence));
                }
                seen
            })
        };
        for task in (0..4).map(write).collect::<Vec<_>>() {
            task.await.unwrap();
        }
        assert_eq!(read.await.unwrap(), (1..=140).collect::<Vec<_>>());
        assert_eq!(db.last_event_sequence(acme.id).await.unwrap(), 140);
    })
    .await;
}

#[tokio::test]
async fn each_drop_below_the_threshold_emits_one_event() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        let spend = async |credits: i64| {
            let log = LogEntry { credits, ..log(acme.id, 1) };
            let decision = DecisionRecord { low_credits: 5, ..DecisionRecord::of(log, "analyze") };
            db.commit_decisions(&[decision]).await.unwrap();
            kinds(&db, acme.id).await.len()
        };
        assert_eq!(
            [spend(4).await, spend(1).await],
            [0, 0],
            "a balance equal to the threshold is not below it"
        );
        assert_eq!([spend(1).await, spend(1).await, spend(9).await], [1, 1, 1]);
        let low = all(&db, acme.id).await.remove(0);
        assert_eq!((low.kind.as_str(), low.payload.as_str()), (CREDITS_LOW, r#"{"balance":4,"mark":5}"#));
        assert!(change!(db.set_credits(acme.id, 9, 5, at(2))).await.unwrap());
        assert_eq!([spend(4).await, spend(1).await], [1, 2]);
        change!(db.set_credits(acme.id, 9, 5, at(3))).await.unwrap();
        change!(db.set_credits(acme.id, 2, 5, at(4))).await.unwrap();
        assert_eq!(kinds(&db, acme.id).await.len(), 3, "setting the balance can cross the threshold too");
        change!(db.set_credits(acme.id, 9, 0, at(5))).await.unwrap();
        change!(db.set_credits(acme.id, 0, 0, at(6))).await.unwrap();
        assert_eq!(kinds(&db, acme.id).await.len(), 3, "a threshold of 0 emits no event");
    })
    .await;
}

#[tokio::test]
async fn a_drop_within_a_batch_emits_one_event() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 8).await;
        let batch: Vec<_> = (0..8)
            .map(|second| DecisionRecord { low_credits: 5, ..with_event(acme.id, second, BLOCKED) })
            .collect();
        db.commit_decisions(&batch).await.unwrap();
        let expected = [BLOCKED, BLOCKED, BLOCKED, BLOCKED, CREDITS_LOW, BLOCKED, BLOCKED, BLOCKED, BLOCKED];
        assert_eq!(kinds(&db, acme.id).await, numbered(&expected));
    })
    .await;
}

#[tokio::test]
async fn pages_are_filtered_and_continue_where_they_ended() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 99).await, org(&db, "Other", 99).await);
        let project = Uuid::from_u128(5);
        let of = |second, kind, project_id, user_id| {
            let new = NewEvent { project_id, user_id, ..event(second, kind) };
            let side_effects = SideEffects { event: Some(new), ..SideEffects::default() };
            DecisionRecord { side_effects, ..DecisionRecord::of(log(acme.id, second), "analyze") }
        };
        let batch = [
            of(0, BLOCKED, Some(project), Some(ANN)),
            of(1, MASKED, None, Some(ANN)),
            of(2, BLOCKED, None, Some(BOB)),
            of(3, "connector.error", None, None),
        ];
        db.commit_decisions(&batch).await.unwrap();
        let found = async |filter: EventFilter| -> Vec<i64> {
            let page = db.events_after(acme.id, &filter, 0, 9).await.unwrap();
            assert_eq!((page.reached, page.newest, page.has_gap), (4, 4, false));
            page.events.iter().map(|event| event.sequence).collect()
        };
        let all = EventFilter::default;
        assert_eq!(found(all()).await, [1, 2, 3, 4]);
        assert_eq!(found(EventFilter { kinds: Some(vec![BLOCKED.into()]), ..all() }).await, [1, 3]);
        assert_eq!(found(EventFilter { projects: Some(vec![project]), ..all() }).await, [1]);
        assert!(found(EventFilter { kinds: Some(vec![]), ..all() }).await.is_empty());
        let reader = |projects, user_id| EventFilter {
            scope: Some(LogScope { projects, user_id: Some(user_id) }),
            ..all()
        };
        assert_eq!(found(reader(vec![project], BOB)).await, [1, 3]);
        assert!(
            found(reader(vec![], Uuid::nil())).await.is_empty(),
            "events without a project are visible to callers who see all projects"
        );
        let page = db.events_after(acme.id, &all(), 1, 2).await.unwrap();
        assert_eq!((page.events.len(), page.reached, page.newest), (2, 3, 4));
        assert_eq!(db.events_after(acme.id, &all(), 4, 2).await.unwrap().reached, 4);
        let theirs = db.events_after(other.id, &all(), 0, 9).await.unwrap();
        assert_eq!((theirs.events, theirs.reached, theirs.newest), (vec![], 0, 0));
    })
    .await;
}

#[tokio::test]
async fn old_events_are_deleted_from_the_start_and_the_gap_is_reported() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        // The third began before the second and committed after it.
        let batch = [0, 50, 5, 60].map(|second| with_event(acme.id, second, BLOCKED));
        db.commit_decisions(&batch).await.unwrap();
        assert_eq!(db.delete_events_before(acme.id, at(10)).await.unwrap(), 1);
        assert_eq!(db.delete_events_before(acme.id, at(10)).await.unwrap(), 0);
        let page = db.events_after(acme.id, &EventFilter::default(), 0, 9).await.unwrap();
        assert_eq!((page.events[0].sequence, page.has_gap), (2, true));
        assert!(!db.events_after(acme.id, &EventFilter::default(), 1, 9).await.unwrap().has_gap);
        assert_eq!(db.delete_events_before(acme.id, at(99)).await.unwrap(), 3);
        let page = db.events_after(acme.id, &EventFilter::default(), 2, 9).await.unwrap();
        assert_eq!((page.events, page.reached, page.newest, page.has_gap), (vec![], 4, 4, true));
        db.commit_decisions(&[with_event(acme.id, 70, BLOCKED)]).await.unwrap();
        assert_eq!(all(&db, acme.id).await[0].sequence, 5, "sequence numbers are not reused");
    })
    .await;
}

#[tokio::test]
async fn a_time_is_found_although_commits_overtook_each_other() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let batch = [0, 12, 10, 5, 20].map(|second| with_event(acme.id, second, BLOCKED));
        db.commit_decisions(&batch).await.unwrap();
        let before = async |second| db.event_before(acme.id, at(second)).await.unwrap();
        assert_eq!([before(-9).await, before(1).await, before(10).await, before(13).await], [0, 1, 1, 4]);
        assert_eq!(before(21).await, 5);
    })
    .await;
}

#[tokio::test]
async fn a_review_reports_its_decision_or_its_expiry_never_both() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let asked = async |second: i64| {
            let review = NewReview { id: new_id(at(second)), expires_at: at(second + 100) };
            let side_effects = SideEffects { review: Some(review), ..SideEffects::default() };
            let decision =
                DecisionRecord { side_effects, ..DecisionRecord::of(log(acme.id, second), "autonomous") };
            db.commit_decisions(&[decision]).await.unwrap();
            review.id
        };
        let (decided, over) = (asked(0).await, asked(1).await);
        let ruled = &event(5, "review.decided");
        let decision = ReviewDecision { approves: true, by: "user:bob", note: None, event: Some(ruled) };
        assert!(change!(db.decide_review(acme.id, decided, decision, at(5))).await.unwrap().is_some());
        assert!(change!(db.decide_review(acme.id, decided, decision, at(6))).await.unwrap().is_none());
        assert!(db.unreported_expiries(at(100), 9).await.unwrap().is_empty());
        let unreported = db.unreported_expiries(at(101), 9).await.unwrap();
        assert_eq!(
            unreported.iter().map(|(org, review)| (*org, review.id)).collect::<Vec<_>>(),
            [(acme.id, over)]
        );
        let expired = event(101, "review.expired");
        assert!(
            !db.record_expiry(acme.id, over, &expired, at(100)).await.unwrap(),
            "the review has not expired"
        );
        assert!(
            !db.record_expiry(acme.id, decided, &expired, at(101)).await.unwrap(),
            "the review is already decided"
        );
        assert!(db.record_expiry(acme.id, over, &expired, at(101)).await.unwrap());
        assert!(
            !db.record_expiry(acme.id, over, &expired, at(102)).await.unwrap(),
            "the expiry is already recorded"
        );
        assert!(db.unreported_expiries(at(999), 9).await.unwrap().is_empty());
        assert_eq!(kinds(&db, acme.id).await, numbered(&["review.decided", "review.expired"]));
    })
    .await;
}

#[tokio::test]
async fn a_connector_emits_events_for_status_changes_only() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let text =
            ConnectorFields { name: "a", enabled: true, settings: "{}", secrets: "{}", check_at: at(0) };
        let new = guardengine_store::Connector::new(new_id(at(0)), acme.id, "jira", text, at(0));
        let asked = done(change!(db.create_connector(new)).await.unwrap());
        let (down, up) = (event(1, "connector.error"), event(2, "connector.recovered"));
        let bad = CheckResult { error: Some("it answered 503"), at: at(1), next: at(9), event: Some(&down) };
        let good = CheckResult { error: None, at: at(2), next: at(9), event: Some(&up) };
        for result in [bad, bad, good, good] {
            assert!(db.record_check(&asked, result).await.unwrap().is_some());
        }
        assert_eq!(kinds(&db, acme.id).await, numbered(&["connector.error", "connector.recovered"]));
    })
    .await;
}
