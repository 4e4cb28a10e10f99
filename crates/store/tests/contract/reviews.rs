//! Reviews, each decided at most once.

use guardengine_store::{
    Db, DecisionRecord, LogEntry, LogScope, NewReview, Review, ReviewDecision, ReviewFilter, ReviewStatus,
    SideEffects, new_id,
};
use uuid::Uuid;

use crate::fixtures::{ANN, BOB, at, change, event, log, on_both, org, page};

const NONE: [Uuid; 0] = [];
const APPROVE: ReviewDecision<'_> =
    ReviewDecision { approves: true, by: "user:bob", note: Some("known customer"), event: None };

/// A review created at that second, which expires 100 seconds later.
async fn asked(db: &Db, org_id: Uuid, second: i64, project_id: Option<Uuid>) -> Uuid {
    let review = NewReview { id: new_id(at(second)), expires_at: at(second + 100) };
    let side_effects = SideEffects { review: Some(review), ..SideEffects::default() };
    let log = LogEntry { project_id, ..log(org_id, second) };
    db.commit_decisions(&[DecisionRecord { side_effects, ..DecisionRecord::of(log, "autonomous") }])
        .await
        .unwrap();
    review.id
}

async fn found(db: &Db, org_id: Uuid, filter: &ReviewFilter, second: i64) -> Vec<Uuid> {
    let found = db.reviews(org_id, filter, page(9), at(second)).await.unwrap();
    found.rows.into_iter().map(|review: Review| review.id).collect()
}

fn that_are(status: ReviewStatus) -> ReviewFilter {
    ReviewFilter { status: Some(status), scope: None }
}

#[tokio::test]
async fn a_review_is_decided_once() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        let id = asked(&db, acme.id, 0, None).await;
        let waiting = db.review(acme.id, id).await.unwrap().unwrap();
        assert_eq!((waiting.status(at(99)), waiting.principal.as_str()), (ReviewStatus::Pending, "ann"));
        assert!(db.log(acme.id, waiting.log_id).await.unwrap().is_some());
        let decided = change!(db.decide_review(acme.id, id, APPROVE, at(5))).await.unwrap().unwrap();
        assert_eq!((decided.status(at(500)), decided.decided_at), (ReviewStatus::Approved, Some(at(5))));
        assert_eq!(decided.note.as_deref(), Some("known customer"));
        let deny = ReviewDecision { approves: false, ..APPROVE };
        assert_eq!(change!(db.decide_review(acme.id, id, deny, at(6))).await.unwrap(), None);
        assert_eq!(db.review(acme.id, id).await.unwrap(), Some(decided));
    })
    .await;
}

#[tokio::test]
async fn an_expired_review_is_denied() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        let id = asked(&db, acme.id, 0, None).await;
        assert_eq!(change!(db.decide_review(acme.id, id, APPROVE, at(100))).await.unwrap(), None);
        let over = db.review(acme.id, id).await.unwrap().unwrap();
        assert_eq!((over.status(at(100)), over.is_expired(at(100))), (ReviewStatus::Denied, true));
        assert_eq!(found(&db, acme.id, &that_are(ReviewStatus::Pending), 99).await, [id]);
        assert_eq!(found(&db, acme.id, &that_are(ReviewStatus::Pending), 100).await, NONE);
        assert_eq!(found(&db, acme.id, &that_are(ReviewStatus::Denied), 100).await, [id]);
    })
    .await;
}

#[tokio::test]
async fn one_of_many_concurrent_decisions_succeeds() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        let id = asked(&db, acme.id, 0, None).await;
        let decide = |number: i64| {
            let db = db.clone();
            let decision = ReviewDecision { approves: number % 2 == 0, ..APPROVE };
            tokio::spawn(async move {
                change!(db.decide_review(acme.id, id, decision, at(number))).await.unwrap()
            })
        };
        let tasks: Vec<_> = (1..9).map(decide).collect();
        let mut decided = Vec::new();
        for task in tasks {
            decided.extend(task.await.unwrap());
        }
        assert_eq!(decided.len(), 1);
        assert_eq!(db.review(acme.id, id).await.unwrap(), decided.pop());
    })
    .await;
}

#[tokio::test]
async fn lists_of_reviews_are_paged_filtered_and_scoped() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 10).await, org(&db, "Other", 10).await);
        let project = Uuid::from_u128(5);
        let (first, second) =
            (asked(&db, acme.id, 0, None).await, asked(&db, acme.id, 1, Some(project)).await);
        let third = asked(&db, acme.id, 2, Some(Uuid::from_u128(6))).await;
        let all = ReviewFilter::default();
        assert_eq!(found(&db, acme.id, &all, 3).await, [third, second, first]);
        let begin = db.reviews(acme.id, &all, page(2), at(3)).await.unwrap();
        let rest = guardengine_store::Page { limit: 2, before: begin.next };
        let rest = db.reviews(acme.id, &all, rest, at(3)).await.unwrap();
        assert_eq!((rest.rows[0].id, rest.rows.len(), rest.next), (first, 1, None));
        let reader = |projects, user_id| ReviewFilter {
            scope: Some(LogScope { projects, user_id: Some(user_id) }),
            ..ReviewFilter::default()
        };
        assert_eq!(found(&db, acme.id, &reader(vec![project], BOB), 3).await, [second]);
        assert_eq!(found(&db, acme.id, &reader(vec![], ANN), 3).await, [first]);
        assert_eq!(found(&db, acme.id, &reader(vec![], BOB), 3).await, NONE);
        change!(db.decide_review(acme.id, second, APPROVE, at(3))).await.unwrap();
        assert_eq!(found(&db, acme.id, &that_are(ReviewStatus::Approved), 3).await, [second]);
        assert_eq!(found(&db, other.id, &all, 3).await, NONE);
        assert_eq!(db.review(other.id, first).await.unwrap(), None);
        assert_eq!(change!(db.decide_review(other.id, first, APPROVE, at(3))).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn old_reviews_are_deleted_unless_they_are_pending() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        let (decided, waiting) = (asked(&db, acme.id, 0, None).await, asked(&db, acme.id, 1, None).await);
        change!(db.decide_review(acme.id, decided, APPROVE, at(2))).await.unwrap();
        assert_eq!(db.delete_reviews_before(acme.id, at(50)).await.unwrap(), 1);
        assert_eq!(found(&db, acme.id, &ReviewFilter::default(), 60).await, [waiting]);
        assert!(db.record_expiry(acme.id, waiting, &event(101, "review.expired"), at(101)).await.unwrap());
        assert_eq!(db.delete_reviews_before(acme.id, at(50)).await.unwrap(), 1);
    })
    .await;
}

#[tokio::test]
async fn log_entries_are_found_by_id_in_their_organization() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 10).await, org(&db, "Other", 10).await);
        let rows = [0, 1, 2].map(|second| log(acme.id, second));
        db.commit_decisions(&rows.clone().map(|log| DecisionRecord::of(log, "analyze"))).await.unwrap();
        let requested = [rows[0].id, rows[2].id, Uuid::nil()];
        let mut ids: Vec<_> =
            db.logs_by_id(acme.id, &requested).await.unwrap().iter().map(|row| row.id).collect();
        ids.sort();
        assert_eq!(ids, requested[..2]);
        assert_eq!(db.logs_by_id(other.id, &requested).await.unwrap(), []);
    })
    .await;
}
