//! Tickets: written with their decision, joined when similar, claimed by one replica, completed or failed.

use std::time::Duration;

use guardengine_store::{
    Charge, Db, DecisionRecord, ExternalTicket, LogEntry, LogScope, NewTicket, RetryLater, SideEffects,
    Ticket, TicketFilter, Timestamp, new_id,
};
use uuid::Uuid;

use crate::fixtures::{ANN, BOB, at, change, log, on_both, org, page};

const CONNECTOR: Uuid = Uuid::from_u128(7);
const HOUR: Duration = Duration::from_hours(1);

fn new(second: i64, likeness: u8) -> NewTicket {
    NewTicket {
        id: new_id(at(second)),
        connector_id: CONNECTOR,
        system: "jira".into(),
        guardrail: "pii".into(),
        likeness: [likeness; 32],
        joins_since: at(second) - HOUR,
        title: "one\0line".into(),
        content: "{}".into(),
    }
}

/// Returns a decision of that second with a ticket that has that deduplication key.
fn decision(org_id: Uuid, second: i64, likeness: u8) -> DecisionRecord {
    let side_effects = SideEffects { tickets: vec![new(second, likeness)], ..SideEffects::default() };
    DecisionRecord { side_effects, ..DecisionRecord::of(log(org_id, second), "analyze") }
}

/// Commits such a decision and returns its ticket.
async fn asked(db: &Db, org_id: Uuid, second: i64, likeness: u8) -> Ticket {
    let decision = decision(org_id, second, likeness);
    db.commit_decisions(std::slice::from_ref(&decision)).await.unwrap();
    read(db, org_id, decision.side_effects.tickets[0].id).await
}

async fn read(db: &Db, org_id: Uuid, id: Uuid) -> Ticket {
    db.ticket(org_id, id).await.unwrap().expect("it is there")
}

async fn claimed(db: &Db, second: i64) -> Vec<Ticket> {
    db.claim_due_tickets(at(second), at(second + 60), 9).await.unwrap()
}

async fn claimed_one(db: &Db, second: i64) -> Ticket {
    let mut claimed = claimed(db, second).await;
    assert_eq!(claimed.len(), 1, "{claimed:?}");
    claimed.remove(0)
}

fn external() -> ExternalTicket {
    ExternalTicket {
        id: Some("10".into()),
        key: Some("ED-1".into()),
        url: Some("https://a.example/ED-1".into()),
    }
}

fn later(retry_at: Timestamp) -> RetryLater<'static> {
    RetryLater { retry_at, error: "it answered 503", counts: true }
}

#[tokio::test]
async fn a_ticket_is_written_with_its_decision_or_not_at_all() {
    on_both(async |db| {
        let (acme, poor) = (org(&db, "Acme", 10).await, org(&db, "Poor", 0).await);
        let (paid, unpaid) = (decision(acme.id, 0, 1), decision(poor.id, 0, 1));
        let charges = db.commit_decisions(&[paid.clone(), unpaid.clone()]).await.unwrap();
        assert_eq!(charges, [Charge::Paid { balance: 9 }, Charge::Insufficient { balance: 0 }]);
        let stored = read(&db, acme.id, paid.side_effects.tickets[0].id).await;
        assert_eq!((stored.log_id, stored.state.as_str(), stored.attempts), (paid.log.id, "queued", 0));
        assert_eq!((stored.title.as_str(), stored.created_at), ("one\u{2400}line", at(0)));
        let refused = unpaid.side_effects.tickets[0].id;
        assert_eq!(db.ticket(poor.id, refused).await.unwrap(), None);
        assert_eq!(db.ticket(poor.id, stored.id).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn similar_tickets_within_the_window_comment_on_the_first() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 99).await, org(&db, "Other", 99).await);
        let batch: Vec<_> =
            [(0, 1), (1, 1), (1, 2)].map(|(second, alike)| decision(acme.id, second, alike)).into();
        db.commit_decisions(&batch).await.unwrap();
        let ids: Vec<_> = batch.iter().map(|decision| decision.side_effects.tickets[0].id).collect();
        let parents = [
            read(&db, acme.id, ids[0]).await.parent_id,
            read(&db, acme.id, ids[1]).await.parent_id,
            read(&db, acme.id, ids[2]).await.parent_id,
        ];
        assert_eq!(parents, [None, Some(ids[0]), None]);
        assert_eq!(asked(&db, acme.id, 3600, 1).await.parent_id, Some(ids[0]));
        assert_eq!(asked(&db, other.id, 3600, 1).await.parent_id, None);
        let next = asked(&db, acme.id, 3601, 1).await;
        assert_eq!(next.parent_id, None, "the window starts with the first ticket");
        assert_eq!(asked(&db, acme.id, 3602, 1).await.parent_id, Some(next.id));
    })
    .await;
}

#[tokio::test]
async fn one_of_many_concurrent_similar_decisions_creates_the_ticket() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let decide = |second: i64| {
            let db = db.clone();
            tokio::spawn(async move { asked(&db, acme.id, second, 1).await })
        };
        let tasks: Vec<_> = (0..8).map(decide).collect();
        let mut own = 0;
        for task in tasks {
            own += i32::from(task.await.unwrap().parent_id.is_none());
        }
        assert_eq!(own, 1);
    })
    .await;
}

#[tokio::test]
async fn a_due_ticket_is_leased_to_one_claim() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let ticket = asked(&db, acme.id, 0, 1).await;
        let claim = || {
            let db = db.clone();
            tokio::spawn(async move { claimed(&db, 1).await })
        };
        let tasks: Vec<_> = (0..4).map(|_| claim()).collect();
        let mut taken = Vec::new();
        for task in tasks {
            taken.extend(task.await.unwrap());
        }
        assert_eq!(taken.iter().map(|one| (one.id, one.attempts)).collect::<Vec<_>>(), [(ticket.id, 1)]);
        assert!(claimed(&db, 60).await.is_empty());
        let again = claimed_one(&db, 61).await;
        assert_eq!((again.id, again.attempts), (ticket.id, 2));
        let late = taken.remove(0);
        assert!(!db.complete_ticket(&late, &external(), at(62)).await.unwrap());
        assert!(!db.reschedule_ticket(&late, later(at(63)), at(62)).await.unwrap());
        assert!(!db.fail_ticket(&late, "why", at(62)).await.unwrap());
        assert!(!db.reopen_as_new_ticket(&late, at(0), at(62)).await.unwrap());
        assert!(db.complete_ticket(&again, &external(), at(62)).await.unwrap());
        assert!(claimed(&db, 999).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_comment_waits_for_its_ticket() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let (first, second) = (asked(&db, acme.id, 0, 1).await, asked(&db, acme.id, 1, 1).await);
        let claim = claimed_one(&db, 2).await;
        assert_eq!(claim.id, first.id);
        assert!(db.reschedule_ticket(&claim, later(at(10)), at(2)).await.unwrap());
        let waiting = read(&db, acme.id, first.id).await;
        assert_eq!((waiting.failures, waiting.last_error.as_deref()), (1, Some("it answered 503")));
        assert!(claimed(&db, 9).await.is_empty());
        let claim = claimed_one(&db, 10).await;
        assert!(db.complete_ticket(&claim, &external(), at(11)).await.unwrap());
        let sent = read(&db, acme.id, first.id).await;
        assert_eq!((sent.state.as_str(), sent.content.as_str(), sent.last_error), ("sent", "", None));
        assert_eq!(sent.external_key.as_deref(), Some("ED-1"));
        let claim = claimed_one(&db, 12).await;
        assert_eq!((claim.id, claim.parent_id), (second.id, Some(first.id)));
        assert!(db.complete_ticket(&claim, &external(), at(13)).await.unwrap());
        assert_eq!(read(&db, acme.id, second.id).await.state, "commented");
    })
    .await;
}

#[tokio::test]
async fn a_dead_ticket_and_its_comments_fail_and_retry_together() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let (first, second) = (asked(&db, acme.id, 0, 1).await, asked(&db, acme.id, 1, 1).await);
        let claim = claimed_one(&db, 2).await;
        assert!(db.fail_ticket(&claim, "it answered 400", at(3)).await.unwrap());
        let dead = TicketFilter { state: Some("dead"), ..TicketFilter::default() };
        let errors: Vec<_> = db.tickets(acme.id, &dead, page(9)).await.unwrap().rows;
        let errors: Vec<_> = errors.iter().map(|one| one.last_error.as_deref().unwrap()).collect();
        assert_eq!(errors, ["the ticket to comment on was not created", "it answered 400"]);
        let third = asked(&db, acme.id, 4, 1).await;
        assert_eq!(third.parent_id, None, "dead tickets get no comments");
        assert_eq!(
            change!(db.retry_ticket(acme.id, third.id, at(5))).await.unwrap(),
            None,
            "the ticket is not dead"
        );
        let taken_up = change!(db.retry_ticket(acme.id, second.id, at(5))).await.unwrap().unwrap();
        assert_eq!((taken_up.state.as_str(), taken_up.failures), ("queued", 0));
        let ids: Vec<_> = claimed(&db, 6).await.iter().map(|one| (one.id, one.attempts)).collect();
        assert!(ids.contains(&(first.id, 2)) && ids.contains(&(third.id, 1)) && ids.len() == 2, "{ids:?}");
        assert_eq!(change!(db.retry_ticket(Uuid::nil(), first.id, at(5))).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn comments_on_a_closed_ticket_become_one_new_ticket() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let first = asked(&db, acme.id, 0, 1).await;
        let claim = claimed_one(&db, 1).await;
        db.complete_ticket(&claim, &external(), at(1)).await.unwrap();
        asked(&db, acme.id, 2, 1).await;
        asked(&db, acme.id, 3, 1).await;
        let comments = claimed(&db, 4).await;
        assert_eq!(comments.iter().map(|one| one.parent_id).collect::<Vec<_>>(), [Some(first.id); 2]);
        for comment in &comments {
            assert!(db.reopen_as_new_ticket(comment, at(0), at(5)).await.unwrap());
        }
        let reopened = read(&db, acme.id, comments[0].id).await;
        assert_eq!((reopened.parent_id, reopened.next_attempt_at), (None, at(5)));
        assert_eq!(read(&db, acme.id, comments[1].id).await.parent_id, Some(reopened.id));
        assert_eq!(asked(&db, acme.id, 6, 1).await.parent_id, Some(reopened.id));
    })
    .await;
}

#[tokio::test]
async fn lists_of_tickets_are_paged_filtered_and_scoped() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        let project = Uuid::from_u128(5);
        let mut of_project = decision(acme.id, 1, 2);
        of_project.log = LogEntry { project_id: Some(project), ..of_project.log };
        let first = asked(&db, acme.id, 0, 1).await.id;
        db.commit_decisions(std::slice::from_ref(&of_project)).await.unwrap();
        let second = of_project.side_effects.tickets[0].id;
        let found = async |filter: &TicketFilter| -> Vec<Uuid> {
            db.tickets(acme.id, filter, page(9)).await.unwrap().rows.iter().map(|one| one.id).collect()
        };
        let all = TicketFilter::default();
        assert_eq!(found(&all).await, [second, first]);
        assert_eq!(db.tickets(acme.id, &all, page(1)).await.unwrap().next, Some(second));
        let of = |connector_id| TicketFilter { connector_id: Some(connector_id), ..TicketFilter::default() };
        assert_eq!(found(&of(CONNECTOR)).await.len(), 2);
        assert!(found(&of(Uuid::nil())).await.is_empty());
        let reader = |projects, user_id| TicketFilter {
            scope: Some(LogScope { projects, user_id: Some(user_id) }),
            ..TicketFilter::default()
        };
        assert_eq!(found(&reader(vec![project], BOB)).await, [second]);
        assert_eq!(found(&reader(vec![], ANN)).await, [first]);
        assert!(found(&reader(vec![], BOB)).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn old_tickets_are_deleted_unless_they_are_queued() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        asked(&db, acme.id, 0, 1).await;
        let claim = claimed_one(&db, 0).await;
        db.complete_ticket(&claim, &external(), at(1)).await.unwrap();
        let queued = asked(&db, acme.id, 2, 2).await;
        assert_eq!(db.delete_tickets_before(acme.id, at(50)).await.unwrap(), 1);
        let left = db.tickets(acme.id, &TicketFilter::default(), page(9)).await.unwrap().rows;
        assert_eq!(left.iter().map(|one| one.id).collect::<Vec<_>>(), [queued.id]);
    })
    .await;
}
