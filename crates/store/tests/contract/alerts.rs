//! Alert rules: creation, changes, claims, transitions, messages, counts.

use guardengine_store::{
    AlertCheck, AlertFields, AlertRule, AlertTransition, Changed, Created, Db, DecisionRecord, EventFilter,
    LogCounts, LogEntry, MAX_ALERT_RULES, NewAlertDelivery, Org, Period, RetryLater, new_id,
};
use uuid::Uuid;

use crate::fixtures::{at, change, done, event, log, on_both, org, page};

const FIELDS: AlertFields<'_> = AlertFields {
    name: "Many blocks",
    enabled: true,
    project_id: None,
    condition: r#"{"type":"credits_low","balance":5}"#,
    channels: "[]",
    recipients: "[]",
    cooldown: 60,
};

async fn rule(db: &Db, org: &Org, name: &str) -> AlertRule {
    let fields = AlertFields { name, ..FIELDS };
    done(change!(db.create_alert_rule((org.id, new_id(at(0))), fields, at(0))).await.unwrap().unwrap())
}

fn message(second: i64) -> NewAlertDelivery {
    NewAlertDelivery {
        id: new_id(at(second)),
        connector_id: Uuid::max(),
        kind: "fired",
        title: "Alert: Many blocks".into(),
        content: "text".into(),
        recipients: "[]".into(),
    }
}

fn check(second: i64, fires: Option<bool>) -> AlertCheck<'static> {
    let kind = if fires == Some(true) { "alert.fired" } else { "alert.resolved" };
    let transition = fires.map(|fires| AlertTransition {
        fires,
        event: event(second, kind),
        deliveries: vec![message(second)],
    });
    AlertCheck { at: at(second), summary: "It is so.", transition }
}

async fn read(db: &Db, rule: &AlertRule) -> AlertRule {
    db.alert_rule(rule.org_id, rule.id).await.unwrap().expect("it is there")
}

#[tokio::test]
async fn rules_are_created_changed_and_deleted_in_their_organization_alone() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 9).await, org(&db, "Other", 9).await);
        let made = rule(&db, &acme, "Many blocks").await;
        assert_eq!((made.state.as_str(), made.version, made.next_check_at), ("ok", 1, at(0)));
        let again = change!(db.create_alert_rule((acme.id, new_id(at(1))), FIELDS, at(1))).await.unwrap();
        assert_eq!(again, Some(Created::NameTaken));
        assert_eq!(db.alert_rules(acme.id).await.unwrap(), std::slice::from_ref(&made));
        assert_eq!(db.alert_rule(other.id, made.id).await.unwrap(), None);
        assert!(!change!(db.delete_alert_rule(other.id, made.id)).await.unwrap());

        let fields = AlertFields { name: "Renamed", ..FIELDS };
        let changed = change!(db.update_alert_rule(&made, fields, at(2))).await.unwrap();
        let Changed::Done(changed) = changed else { panic!("{changed:?}") };
        assert_eq!((changed.name.as_str(), changed.version), ("Renamed", 2));
        let stale = change!(db.update_alert_rule(&made, fields, at(3))).await.unwrap();
        assert_eq!(stale, Changed::Stale);
        rule(&db, &acme, "Second").await;
        let taken = AlertFields { name: "SECOND", ..FIELDS };
        let taken = change!(db.update_alert_rule(&changed, taken, at(3))).await.unwrap();
        assert_eq!(taken, Changed::NameTaken);
        assert!(change!(db.delete_alert_rule(acme.id, made.id)).await.unwrap());
        let missing = change!(db.update_alert_rule(&changed, fields, at(3))).await.unwrap();
        assert_eq!(missing, Changed::Missing);
    })
    .await;
}

#[tokio::test]
async fn an_organization_has_a_limited_number_of_rules() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 9).await;
        for number in 0..MAX_ALERT_RULES {
            rule(&db, &acme, &format!("rule {number}")).await;
        }
        let more = change!(db.create_alert_rule((acme.id, new_id(at(1))), FIELDS, at(1))).await.unwrap();
        assert_eq!(more, None);
    })
    .await;
}

#[tokio::test]
async fn one_claim_gets_a_due_rule() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 9).await;
        let made = rule(&db, &acme, "a").await;
        let disabled = AlertFields { name: "b", enabled: false, ..FIELDS };
        change!(db.create_alert_rule((acme.id, new_id(at(0))), disabled, at(0))).await.unwrap();
        let (one, two) = tokio::join!(
            db.claim_due_alert_rules(at(1), at(61), 9),
            db.claim_due_alert_rules(at(1), at(61), 9)
        );
        let claimed = [one.unwrap(), two.unwrap()].concat();
        assert_eq!(claimed.iter().map(|rule| rule.id).collect::<Vec<_>>(), [made.id]);
        assert_eq!(db.claim_due_alert_rules(at(60), at(120), 9).await.unwrap(), []);
        assert_eq!(db.claim_due_alert_rules(at(61), at(121), 9).await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_transition_its_event_and_its_messages_are_written_once() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 9).await;
        let made = rule(&db, &acme, "a").await;
        assert!(db.record_alert_check(&made, check(1, Some(true))).await.unwrap());
        assert!(!db.record_alert_check(&made, check(2, Some(true))).await.unwrap(), "it fires already");
        let firing = read(&db, &made).await;
        assert_eq!((firing.state.as_str(), firing.firing_since), ("firing", Some(at(1))));
        assert_eq!((firing.last_fired_at, firing.summary.as_deref()), (Some(at(1)), Some("It is so.")));
        assert!(db.record_alert_check(&firing, check(3, None)).await.unwrap());
        let checked = read(&db, &made).await;
        assert_eq!((checked.checked_at, checked.firing_since), (Some(at(3)), Some(at(1))));
        assert!(db.record_alert_check(&firing, check(4, Some(false))).await.unwrap());
        let resolved = read(&db, &made).await;
        assert_eq!((resolved.state.as_str(), resolved.firing_since), ("ok", None));
        assert_eq!(resolved.last_fired_at, Some(at(1)));
        let events = db.events_after(acme.id, &EventFilter::default(), 0, 9).await.unwrap().events;
        let kinds: Vec<_> = events.iter().map(|event| event.kind.as_str()).collect();
        assert_eq!(kinds, ["alert.fired", "alert.resolved"]);
        assert_eq!(db.alert_deliveries(acme.id, made.id, page(9)).await.unwrap().rows.len(), 2);

        let changed = change!(db.update_alert_rule(&resolved, FIELDS, at(5))).await.unwrap();
        assert!(matches!(changed, Changed::Done(rule) if rule.last_fired_at.is_none()));
        assert!(!db.record_alert_check(&resolved, check(6, Some(true))).await.unwrap(), "it was changed");
    })
    .await;
}

#[tokio::test]
async fn messages_are_sent_retried_given_up_and_deleted() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 9).await;
        let made = rule(&db, &acme, "a").await;
        db.record_alert_check(&made, check(1, Some(true))).await.unwrap();
        let claimed = db.claim_due_alert_deliveries(at(1), at(61), 9).await.unwrap();
        assert_eq!((claimed.len(), claimed[0].attempts), (1, 1));
        assert_eq!(db.claim_due_alert_deliveries(at(2), at(62), 9).await.unwrap(), []);
        let retry = RetryLater { retry_at: at(10), error: "it answered 503", counts: true };
        assert!(db.reschedule_alert_delivery(&claimed[0], retry, at(2)).await.unwrap());
        let again = db.claim_due_alert_deliveries(at(10), at(70), 9).await.unwrap();
        assert_eq!((again[0].attempts, again[0].failures), (2, 1));
        assert!(!db.complete_alert_delivery(&claimed[0], at(11)).await.unwrap(), "a later claim holds");
        assert!(db.fail_alert_delivery(&again[0], "it answered 404", at(11)).await.unwrap());
        let dead = db.alert_delivery(acme.id, again[0].id).await.unwrap().unwrap();
        assert_eq!((dead.state.as_str(), dead.last_error.as_deref()), ("dead", Some("it answered 404")));

        let other = org(&db, "Other", 9).await;
        assert_eq!(change!(db.retry_alert_delivery(other.id, dead.id, at(12))).await.unwrap(), None);
        let queued = change!(db.retry_alert_delivery(acme.id, dead.id, at(12))).await.unwrap().unwrap();
        assert_eq!((queued.state.as_str(), queued.failures), ("queued", 0));
        assert_eq!(change!(db.retry_alert_delivery(acme.id, dead.id, at(12))).await.unwrap(), None);
        let last = db.claim_due_alert_deliveries(at(12), at(72), 9).await.unwrap();
        assert!(db.complete_alert_delivery(&last[0], at(13)).await.unwrap());
        let sent = db.alert_delivery(acme.id, dead.id).await.unwrap().unwrap();
        assert_eq!((sent.state.as_str(), sent.last_error), ("sent", None));

        assert_eq!(db.delete_alert_deliveries_before(acme.id, at(1)).await.unwrap(), 0);
        assert_eq!(db.delete_alert_deliveries_before(acme.id, at(2)).await.unwrap(), 1);
    })
    .await;
}

/// A log entry of a project, blocked by these guardrails or allowed.
fn entry(org: &Org, second: i64, project: Option<Uuid>, guardrails: &[&str]) -> DecisionRecord {
    let names: Vec<_> = guardrails.iter().map(|name| format!(r#"{{"name":"{name}"}}"#)).collect();
    let decision = if guardrails.is_empty() { "allow" } else { "block" };
    let entry = LogEntry {
        project_id: project,
        decision: decision.into(),
        triggered_guardrails: format!("[{}]", names.join(",")),
        ..log(org.id, second)
    };
    DecisionRecord::of(entry, "analyze")
}

#[tokio::test]
async fn log_entries_are_counted_by_period_project_and_guardrail() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 99).await, org(&db, "Other", 99).await);
        let shop = Some(Uuid::from_u128(5));
        let entries = [
            entry(&acme, 1, None, &["pii"]),
            entry(&acme, 10, None, &[]),
            entry(&acme, 11, shop, &["pii", "links"]),
            entry(&acme, 12, shop, &["links"]),
            entry(&acme, 20, shop, &["pii"]),
        ];
        db.commit_decisions(&entries).await.unwrap();
        db.commit_decisions(&[entry(&other, 11, shop, &["pii"])]).await.unwrap();
        let period = Period { from: at(10), to: at(20) };
        let all = db.count_logs(acme.id, None, period).await.unwrap();
        assert_eq!(all, LogCounts { total: 3, blocked: 2 });
        let of_shop = db.count_logs(acme.id, shop, period).await.unwrap();
        assert_eq!(of_shop, LogCounts { total: 2, blocked: 2 });
        assert_eq!(db.count_blocks_of(acme.id, None, period, "pii").await.unwrap(), 1);
        assert_eq!(db.count_blocks_of(acme.id, shop, period, "links").await.unwrap(), 2);
        assert_eq!(db.count_blocks_of(acme.id, None, period.previous(), "pii").await.unwrap(), 1);
    })
    .await;
}
