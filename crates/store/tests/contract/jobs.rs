//! Jobs: accepted and paid once, run by one runner at a time, refunded when they fail, and deleted.

use guardengine_store::{
    AcceptedJob, Charge, Db, DecisionRecord, EventFilter, FinishedJob, Job, JobScope, LogEntry, NewJob, Org,
    SideEffects, new_id,
};
use uuid::Uuid;

use crate::fixtures::{ANN, BOB, at, event, log, on_both, org, page};

const PLACE: Uuid = Uuid::from_u128(1);
const RUNNER: Uuid = Uuid::from_u128(2);
const OTHER_RUNNER: Uuid = Uuid::from_u128(3);

fn new_job(org: &Org, second: i64) -> NewJob {
    NewJob {
        org_id: org.id,
        id: new_id(at(second)),
        created_at: at(second),
        kind: "audio",
        project_id: None,
        user_id: ANN,
        principal: "user:ann".to_owned(),
        place: PLACE,
        log_id: new_id(at(second)),
        operation: "audio",
        credits: 5,
        duration: 900.5,
        sealed_request: vec![1, 2, 3],
    }
}

async fn accepted(db: &Db, org: &Org, second: i64) -> Job {
    let new = new_job(org, second);
    assert_eq!(db.accept_job(&new, 20, 0).await.unwrap(), AcceptedJob::Done);
    db.job(org.id, new.id).await.unwrap().unwrap()
}

async fn claimed(db: &Db, runner: Uuid, second: i64) -> Option<Job> {
    db.claim_job(PLACE, runner, at(second), at(second + 30)).await.unwrap()
}

fn finishing(job: &Job) -> DecisionRecord {
    let end = FinishedJob {
        id: job.id,
        runner: job.runner,
        finished_at: at(50),
        sealed_result: vec![9],
        event: event(50, "job.finished"),
    };
    let side_effects = SideEffects { job: Some(end), ..SideEffects::default() };
    let log = LogEntry { id: job.log_id, credits: job.credits, ..log(job.org_id, 0) };
    DecisionRecord { side_effects, ..DecisionRecord::of(log, "audio") }
}

async fn amounts(db: &Db, org: &Org) -> Vec<(String, i64, Option<Uuid>)> {
    let entries = db.credit_entries(org.id, None, 10).await.unwrap();
    entries.into_iter().map(|entry| (entry.operation, entry.amount, entry.log_id)).collect()
}

async fn event_kinds(db: &Db, org: &Org) -> Vec<String> {
    let found = db.events_after(org.id, &EventFilter::default(), 0, 10).await.unwrap();
    found.events.into_iter().map(|event| event.kind).collect()
}

#[tokio::test]
async fn a_job_is_paid_when_accepted_and_its_log_entry_charges_nothing_more() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        let waiting = accepted(&db, &acme, 1).await;
        assert_eq!((&*waiting.state, waiting.progress, waiting.attempts), ("queued", 0.0, 0));
        assert_eq!((waiting.duration, &*waiting.sealed_request), (900.5, &[1, 2, 3][..]));
        assert_eq!(db.balance(acme.id).await.unwrap(), Some(95));
        let job = claimed(&db, RUNNER, 10).await.unwrap();
        assert_eq!((job.id, &*job.state, job.attempts), (waiting.id, "running", 1));
        let charges = db.commit_decisions(&[finishing(&job)]).await.unwrap();
        assert_eq!(charges, [Charge::Paid { balance: 95 }]);
        let done = db.job(acme.id, job.id).await.unwrap().unwrap();
        assert_eq!((&*done.state, done.progress, done.finished_at), ("done", 1.0, Some(at(50))));
        assert_eq!(done.sealed_result.as_deref(), Some(&[9][..]));
        assert_eq!(db.log(acme.id, job.log_id).await.unwrap().unwrap().credits, 5);
        let paid = [("audio".to_owned(), -5, Some(job.log_id)), ("initial".to_owned(), 100, None)];
        assert_eq!(amounts(&db, &acme).await, paid);
        assert_eq!(event_kinds(&db, &acme).await, ["job.finished"]);
        assert_eq!(db.commit_decisions(&[finishing(&job)]).await.unwrap(), [Charge::JobLost]);
    })
    .await;
}

#[tokio::test]
async fn a_job_without_credits_or_beyond_the_limit_is_not_accepted() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 12).await;
        accepted(&db, &acme, 1).await;
        let third = db.accept_job(&new_job(&acme, 2), 1, 0).await.unwrap();
        assert_eq!(third, AcceptedJob::TooMany);
        accepted(&db, &acme, 3).await;
        let poor = new_job(&acme, 4);
        assert_eq!(db.accept_job(&poor, 20, 0).await.unwrap(), AcceptedJob::Insufficient { balance: 2 });
        assert_eq!(db.job(acme.id, poor.id).await.unwrap(), None);
        assert_eq!(db.balance(acme.id).await.unwrap(), Some(2));
    })
    .await;
}

#[tokio::test]
async fn a_failed_job_is_refunded_once() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        accepted(&db, &acme, 1).await;
        let job = claimed(&db, RUNNER, 10).await.unwrap();
        let fail = async |job: &Job| {
            db.fail_job(job, "file: the audio is damaged", event(20, "job.finished"), at(20)).await.unwrap()
        };
        assert!(fail(&job).await);
        assert!(!fail(&job).await);
        let failed = db.job(acme.id, job.id).await.unwrap().unwrap();
        assert_eq!((&*failed.state, failed.error.as_deref()), ("failed", Some("file: the audio is damaged")));
        assert_eq!(db.balance(acme.id).await.unwrap(), Some(100));
        assert_eq!(amounts(&db, &acme).await[0], ("refund".to_owned(), 5, None));
        assert_eq!(event_kinds(&db, &acme).await, ["job.finished"]);
        assert_eq!(db.commit_decisions(&[finishing(&job)]).await.unwrap(), [Charge::JobLost]);
        assert_eq!(db.log(acme.id, job.log_id).await.unwrap(), None);
        assert!(claimed(&db, RUNNER, 99).await.is_none());
    })
    .await;
}

#[tokio::test]
async fn one_runner_has_a_job_until_its_lease_ends() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        accepted(&db, &acme, 1).await;
        assert!(db.claim_job(Uuid::nil(), RUNNER, at(9), at(39)).await.unwrap().is_none());
        let first = claimed(&db, RUNNER, 10).await.unwrap();
        assert!(claimed(&db, OTHER_RUNNER, 39).await.is_none());
        assert!(db.renew_job(&first, 0.25, at(70)).await.unwrap());
        assert_eq!(db.job(acme.id, first.id).await.unwrap().unwrap().progress, 0.25);
        assert!(claimed(&db, OTHER_RUNNER, 69).await.is_none());
        let second = claimed(&db, OTHER_RUNNER, 70).await.unwrap();
        assert_eq!((second.id, second.attempts), (first.id, 2));
        assert!(!db.renew_job(&first, 0.5, at(200)).await.unwrap());
        let failed = db.fail_job(&first, "late", event(72, "job.finished"), at(72)).await.unwrap();
        assert!(!failed);
        assert_eq!(db.commit_decisions(&[finishing(&first)]).await.unwrap(), [Charge::JobLost]);
        db.release_job(&second, 1, at(80)).await.unwrap();
        assert!(claimed(&db, RUNNER, 79).await.is_none());
        let third = claimed(&db, RUNNER, 80).await.unwrap();
        assert_eq!((third.attempts, third.progress), (2, 0.0));
    })
    .await;
}

#[tokio::test]
async fn lists_are_newest_first_within_their_scope() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 100).await, org(&db, "Other", 100).await);
        let (first, second) = (accepted(&db, &acme, 1).await, accepted(&db, &acme, 2).await);
        let foreign = accepted(&db, &other, 3).await;
        let project = Uuid::from_u128(77);
        let of_bob = NewJob { user_id: BOB, project_id: Some(project), ..new_job(&acme, 4) };
        db.accept_job(&of_bob, 20, 0).await.unwrap();
        let ids = async |scope| -> Vec<Uuid> {
            let paged = db.jobs(acme.id, scope, page(10)).await.unwrap();
            paged.rows.iter().map(|job| job.id).collect()
        };
        let scope = |user_id, project_id| Some(JobScope { user_id, project_id });
        assert_eq!(ids(None).await, [of_bob.id, second.id, first.id]);
        assert_eq!(ids(scope(ANN, None)).await, [second.id, first.id]);
        assert_eq!(ids(scope(BOB, Some(project))).await, [of_bob.id]);
        assert_eq!(ids(scope(ANN, Some(project))).await, [] as [Uuid; 0]);
        assert!(scope(ANN, None).unwrap().includes(&first));
        assert!(!scope(BOB, None).unwrap().includes(&first));
        assert!(!scope(ANN, Some(project)).unwrap().includes(&first));
        let paged = db.jobs(acme.id, None, page(1)).await.unwrap();
        assert_eq!((paged.rows[0].id, paged.next), (of_bob.id, Some(of_bob.id)));
        assert_eq!(db.job(acme.id, foreign.id).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn finished_jobs_are_deleted_and_unfinished_ones_become_overdue() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        let job = accepted(&db, &acme, 1).await;
        let waiting = accepted(&db, &acme, 2).await;
        let running = claimed(&db, RUNNER, 10).await.unwrap();
        let overdue = async |now| -> Vec<Uuid> {
            db.overdue_jobs(at(5), at(now)).await.unwrap().into_iter().map(|job| job.id).collect()
        };
        assert_eq!(overdue(20).await, [waiting.id]);
        assert_eq!(overdue(99).await.len(), 2);
        db.commit_decisions(&[finishing(&running)]).await.unwrap();
        assert_eq!(overdue(99).await, [waiting.id]);
        let unknown = Uuid::from_u128(9);
        let mut known = db.existing_jobs(&[job.id, unknown, waiting.id]).await.unwrap();
        known.sort_unstable();
        assert_eq!(known, [job.id, waiting.id]);
        assert_eq!(db.delete_jobs_before(at(50)).await.unwrap(), 0);
        assert_eq!(db.delete_jobs_before(at(51)).await.unwrap(), 1);
        assert_eq!(db.job(acme.id, job.id).await.unwrap(), None);
        assert!(db.job(acme.id, waiting.id).await.unwrap().is_some());
    })
    .await;
}
