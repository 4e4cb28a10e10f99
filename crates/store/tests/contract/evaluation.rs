//! Datasets and runs: bounded per organization, run by one replica at a time, continued where they stopped.

use guardengine_store::{
    DatasetLimits, DatasetRefusal, Db, Deleted, EvaluationDataset, EvaluationRun, Org, Policy, StartedRun,
    new_id,
};
use uuid::Uuid;

use crate::fixtures::{ANN, at, change, on_both, org, page, policy};

const RUNNER: Uuid = Uuid::from_u128(2);
const OTHER_RUNNER: Uuid = Uuid::from_u128(3);
const LIMITS: DatasetLimits = DatasetLimits { datasets: 2, bytes: 100 };

fn new_dataset(org: &Org, second: i64, bytes: i64) -> EvaluationDataset {
    EvaluationDataset {
        id: new_id(at(second)),
        org_id: org.id,
        created_at: at(second),
        user_id: ANN,
        principal: "user:ann".to_owned(),
        name: "Feedback".to_owned(),
        source: "upload".to_owned(),
        cases: 3,
        attacks: 1,
        bytes,
    }
}

async fn dataset(db: &Db, org: &Org, second: i64) -> EvaluationDataset {
    let new = new_dataset(org, second, 10);
    let cases = [vec![1], vec![2], vec![3]];
    assert_eq!(change!(db.create_evaluation_dataset(&new, &cases, LIMITS)).await.unwrap(), None);
    new
}

fn new_run(dataset: &EvaluationDataset, policy: &Policy, second: i64) -> EvaluationRun {
    EvaluationRun {
        id: new_id(at(second)),
        org_id: dataset.org_id,
        dataset_id: dataset.id,
        created_at: at(second),
        user_id: ANN,
        principal: "user:ann".to_owned(),
        policy_id: policy.id,
        policy_name: policy.name.clone(),
        policy_version: 1,
        cases: dataset.cases,
        state: "queued".to_owned(),
        position: 0,
        attempts: 0,
        runner: None,
        finished_at: None,
        error: None,
        result: None,
    }
}

async fn started(db: &Db, dataset: &EvaluationDataset, policy: &Policy, second: i64) -> EvaluationRun {
    let run = new_run(dataset, policy, second);
    assert_eq!(change!(db.start_evaluation_run(&run, 9, 9)).await.unwrap(), StartedRun::Done);
    run
}

async fn claimed(db: &Db, runner: Uuid, second: i64) -> Option<EvaluationRun> {
    db.claim_evaluation_run(runner, at(second), at(second + 30)).await.unwrap()
}

fn results(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{{\"at\":{at}}}")).collect()
}

#[tokio::test]
async fn a_dataset_is_stored_with_its_cases_and_bounded() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 1).await, org(&db, "Other", 1).await);
        let first = dataset(&db, &acme, 1).await;
        assert_eq!(db.evaluation_dataset(acme.id, first.id).await.unwrap(), Some(first.clone()));
        assert_eq!(db.evaluation_dataset(other.id, first.id).await.unwrap(), None);
        let cases = db.evaluation_cases(acme.id, first.id, 1, 5).await.unwrap();
        assert_eq!(cases, [(1, vec![2]), (2, vec![3])]);
        assert_eq!(db.evaluation_cases(other.id, first.id, 0, 5).await.unwrap(), []);

        let large = new_dataset(&acme, 2, 91);
        let refused = change!(db.create_evaluation_dataset(&large, &[], LIMITS)).await.unwrap();
        assert_eq!(refused, Some(DatasetRefusal::TooLarge));
        let second = dataset(&db, &acme, 2).await;
        let third = new_dataset(&acme, 3, 1);
        let refused = change!(db.create_evaluation_dataset(&third, &[], LIMITS)).await.unwrap();
        assert_eq!(refused, Some(DatasetRefusal::TooMany));
        assert_eq!(db.evaluation_datasets(acme.id, page(9)).await.unwrap().rows, [second, first]);
        dataset(&db, &other, 4).await;
    })
    .await;
}

#[tokio::test]
async fn a_dataset_is_deleted_with_its_runs_unless_one_is_open() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let (policy, dataset) = (policy(&db, &acme, "P").await, dataset(&db, &acme, 1).await);
        let run = started(&db, &dataset, &policy, 2).await;
        let delete = async || change!(db.delete_evaluation_dataset(acme.id, dataset.id)).await.unwrap();
        assert_eq!(delete().await, Deleted::InUse(vec![]));
        assert!(!change!(db.delete_evaluation_run(acme.id, run.id)).await.unwrap());
        assert!(change!(db.cancel_evaluation_run(acme.id, run.id, at(3))).await.unwrap());
        assert!(!change!(db.cancel_evaluation_run(acme.id, run.id, at(3))).await.unwrap());
        assert_eq!(delete().await, Deleted::Done);
        assert_eq!(delete().await, Deleted::Missing);
        assert_eq!(db.evaluation_run(acme.id, run.id).await.unwrap(), None);
        let gone = change!(db.start_evaluation_run(&run, 9, 9)).await.unwrap();
        assert_eq!(gone, StartedRun::Missing);
    })
    .await;
}

#[tokio::test]
async fn runs_of_an_organization_are_bounded() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let (policy, dataset) = (policy(&db, &acme, "P").await, dataset(&db, &acme, 1).await);
        let first = started(&db, &dataset, &policy, 2).await;
        let start = async |max_runs, max_open| {
            let run = new_run(&dataset, &policy, 3);
            change!(db.start_evaluation_run(&run, max_runs, max_open)).await.unwrap()
        };
        assert_eq!(start(9, 1).await, StartedRun::TooMany);
        assert_eq!(start(1, 9).await, StartedRun::TooMany);
        change!(db.cancel_evaluation_run(acme.id, first.id, at(4))).await.unwrap();
        assert_eq!(start(9, 1).await, StartedRun::Done);
        let runs = db.evaluation_runs(acme.id, Some(dataset.id), page(9)).await.unwrap().rows;
        assert_eq!(runs.iter().map(|run| run.state.as_str()).collect::<Vec<_>>(), ["queued", "canceled"]);
        assert_eq!(db.evaluation_runs(acme.id, Some(Uuid::nil()), page(9)).await.unwrap().rows, []);
    })
    .await;
}

#[tokio::test]
async fn one_run_of_an_organization_runs_at_a_time_on_one_replica() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 1).await, org(&db, "Other", 1).await);
        let p = policy(&db, &acme, "P").await;
        let (own, foreign) = (dataset(&db, &acme, 1).await, dataset(&db, &other, 1).await);
        let first = started(&db, &own, &p, 2).await;
        let second = started(&db, &own, &p, 3).await;
        let elsewhere = started(&db, &foreign, &p, 4).await;

        let run = claimed(&db, RUNNER, 5).await.unwrap();
        assert_eq!((run.id, run.state.as_str(), run.attempts), (first.id, "running", 1));
        let run_elsewhere = claimed(&db, OTHER_RUNNER, 5).await.unwrap();
        assert_eq!(run_elsewhere.id, elsewhere.id, "the second run waits for the first one");
        assert_eq!(claimed(&db, RUNNER, 6).await, None);

        assert!(db.finish_evaluation_run(&run, Ok("{}"), at(7)).await.unwrap());
        assert!(!db.finish_evaluation_run(&run, Ok("{}"), at(7)).await.unwrap());
        assert_eq!(claimed(&db, RUNNER, 8).await.unwrap().id, second.id);
        let done = db.evaluation_run(acme.id, first.id).await.unwrap().unwrap();
        assert_eq!((done.state.as_str(), done.result.as_deref()), ("done", Some("{}")));
        assert!(db.finish_evaluation_run(&run_elsewhere, Err("gone"), at(9)).await.unwrap());
        let failed = db.evaluation_run(other.id, elsewhere.id).await.unwrap().unwrap();
        assert_eq!((failed.state.as_str(), failed.error.as_deref()), ("failed", Some("gone")));
    })
    .await;
}

#[tokio::test]
async fn a_run_continues_after_its_last_result() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let (p, own) = (policy(&db, &acme, "P").await, dataset(&db, &acme, 1).await);
        started(&db, &own, &p, 2).await;
        let lost = claimed(&db, RUNNER, 5).await.unwrap();
        assert!(db.add_evaluation_results(&lost, 0, &results(2), at(40)).await.unwrap());
        assert!(!db.add_evaluation_results(&lost, 0, &results(2), at(40)).await.unwrap(), "added already");

        let taken = claimed(&db, OTHER_RUNNER, 41).await.unwrap();
        assert_eq!((taken.position, taken.attempts), (2, 2));
        assert!(!db.add_evaluation_results(&lost, 2, &results(1), at(80)).await.unwrap());
        assert!(!db.finish_evaluation_run(&lost, Ok("{}"), at(42)).await.unwrap());
        assert!(db.add_evaluation_results(&taken, 2, &results(1), at(80)).await.unwrap());
        let run = db.evaluation_run(acme.id, taken.id).await.unwrap().unwrap();
        assert_eq!((run.position, run.attempts), (3, 1), "progress resets the attempts");
        assert_eq!(db.evaluation_results(acme.id, run.id).await.unwrap().len(), 3);
        assert_eq!(db.evaluation_results(Uuid::nil(), run.id).await.unwrap(), Vec::<String>::new());

        db.release_evaluation_run(&taken, 0, at(50)).await.unwrap();
        assert_eq!(claimed(&db, RUNNER, 49).await, None);
        assert_eq!(claimed(&db, RUNNER, 51).await.unwrap().attempts, 1);
    })
    .await;
}

#[tokio::test]
async fn a_canceled_run_takes_no_results() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let (p, own) = (policy(&db, &acme, "P").await, dataset(&db, &acme, 1).await);
        started(&db, &own, &p, 2).await;
        let run = claimed(&db, RUNNER, 5).await.unwrap();
        assert!(change!(db.cancel_evaluation_run(acme.id, run.id, at(6))).await.unwrap());
        assert!(!db.add_evaluation_results(&run, 0, &results(1), at(40)).await.unwrap());
        assert!(!db.finish_evaluation_run(&run, Ok("{}"), at(7)).await.unwrap());
        assert!(change!(db.delete_evaluation_run(acme.id, run.id)).await.unwrap());
    })
    .await;
}
