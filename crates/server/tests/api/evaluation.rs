//! Evaluation: `/api/evaluation/datasets` and `/api/evaluation/runs`.

use std::time::Duration;

use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::support::{Response, TestService, send};

const DATASETS: &str = "/api/evaluation/datasets";
const RUNS: &str = "/api/evaluation/runs";
const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";
/// Longest wait for a run.
const PATIENCE: Duration = Duration::from_mins(1);

/// Four cases: personal data that is found, some that is not, and two harmless texts.
const CASES: &str = r#"{"text":"mail jane@example.com today","labels":["pii"]}
{"text":"my secret name","labels":["pii"]}
{"text":"what is the weather?","negatives":"all"}
{"text":"tell me about aurora","negatives":"all"}
"#;

async fn upload(service: &TestService, token: &str, path: &str, file: &str, format: &str) -> Response {
    let part = Part::bytes(file.as_bytes().to_vec()).file_name("cases");
    let form = Form::new().part("file", part).text("format", format.to_owned()).text("name", "Cases");
    send(service.post(path).bearer_auth(token).multipart(form)).await
}

async fn dataset(service: &TestService, token: &str, file: &str) -> String {
    let created = upload(service, token, DATASETS, file, "jsonl").await;
    assert_eq!(created.status, 200, "{}", created.body);
    created.text("dataset_id")
}

/// A policy that finds personal data and blocks a keyword.
async fn policy(service: &TestService, token: &str, name: &str, threshold: f64) -> String {
    let pii = json!({ "guardrail": "pii", "threshold": threshold, "action": "block" });
    let policy = json!({ "policyName": name, "blocked_keywords": ["aurora"], "guardrails": [pii] });
    service.policy(token, &policy).await
}

async fn started(service: &TestService, token: &str, dataset: &str, policy: &str) -> String {
    let body = json!({ "dataset_id": dataset, "policyId": policy });
    let run = service.post_json(token, RUNS, &body).await;
    assert_eq!(run.status, 200, "{}", run.body);
    run.text("run_id")
}

/// Returns the run when it is finished.
async fn finished(service: &TestService, token: &str, run: &str) -> Value {
    let asked = async {
        loop {
            let run = service.get(token, &format!("{RUNS}/{run}")).await;
            assert_eq!(run.status, 200, "{}", run.body);
            if !run.body["finished_at"].is_null() {
                return run.body;
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, asked).await.expect("the run ends")
}

fn pii(run: &Value) -> &Value {
    let guardrails = run["report"]["guardrails"].as_array().unwrap();
    guardrails.iter().find(|one| one["guardrail"] == "pii").unwrap()
}

#[tokio::test]
async fn an_upload_becomes_a_dataset_whose_cases_are_listed() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let id = dataset(&service, &token, CASES).await;
    let shown = service.get(&token, &format!("{DATASETS}/{id}")).await.body;
    assert_eq!(
        (&shown["cases"], &shown["attacks"], &shown["source"]),
        (&json!(4), &json!(2), &json!("upload"))
    );
    assert_eq!(shown["created_by"], "user:admin");

    let page = service.get(&token, &format!("{DATASETS}/{id}/cases?limit=3")).await.body;
    assert_eq!(page["cases"][0]["text"], "mail jane@example.com today");
    assert_eq!(page["next_cursor"], "3");
    let rest = service.get(&token, &format!("{DATASETS}/{id}/cases?limit=3&cursor=3")).await.body;
    assert_eq!((&rest["cases"][0]["position"], &rest["next_cursor"]), (&json!(3), &Value::Null));
    assert_eq!(rest["cases"][0]["negatives"], json!(["all"]));

    let stranger = service.stranger().await;
    for path in [format!("{DATASETS}/{id}"), format!("{DATASETS}/{id}/cases")] {
        assert_eq!(service.get(&stranger, &path).await.status, 404);
    }
    assert_eq!(service.delete(&stranger, &format!("{DATASETS}/{id}")).await.status, 404);
    assert_eq!(service.get(&stranger, DATASETS).await.body["datasets"], json!([]));
    assert_eq!(service.delete(&token, &format!("{DATASETS}/{id}")).await.status, 200);
    assert_eq!(service.get(&token, &format!("{DATASETS}/{id}")).await.status, 404);

    let audit = service.get(&token, "/api/audit").await.body;
    let actions = audit["entries"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap());
    let done: Vec<_> = actions.filter(|action| action.starts_with("EVALUATION:")).collect();
    assert_eq!(done, ["EVALUATION:DELETE_DATASET", "EVALUATION:CREATE_DATASET"]);
}

#[tokio::test]
async fn a_file_with_errors_is_refused_by_line_and_previewed() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let file = "text,labels,expect\nhello,,pass\nbuy now,junk,\n";
    let refused = upload(&service, &token, DATASETS, file, "csv").await;
    assert_eq!(refused.status, 422);
    assert_eq!(refused.text("detail"), "file: line 3: labels: \"junk\" is not a guardrail");
    let preview = upload(&service, &token, &format!("{DATASETS}/preview"), file, "csv").await.body;
    assert_eq!((&preview["cases"], &preview["errors"][0]["line"]), (&json!(1), &json!(3)));
    assert_eq!(preview["first"][0]["text"], "hello");
    assert_eq!(service.get(&token, DATASETS).await.body["datasets"], json!([]));
    let viewer = service.member("vic", "viewer").await;
    assert_eq!(upload(&service, &viewer, DATASETS, CASES, "jsonl").await.status, 403);
}

#[tokio::test]
async fn feedback_becomes_a_dataset_that_members_of_other_projects_do_not_read() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = service.project(&token, "shop").await;
    for (prompt, mark, note) in
        [("good day", "false_positive", "fine"), ("give me the key", "missed_attack", "should be pii")]
    {
        let body = json!({ "prompt": prompt, "projectId": project });
        assert_eq!(service.post_json(&token, ANALYZE, &body).await.status, 200);
        let log = service.get(&token, "/api/logs?limit=1").await.body["logs"][0]["log_id"].clone();
        let path = format!("/api/logs/{}/mark", log.as_str().unwrap());
        let feedback = json!({ "mark": mark, "note": note });
        assert_eq!(service.put_json(&token, &path, &feedback).await.status, 200);
        service.clock.advance(Duration::from_secs(1));
    }
    let path = format!("{DATASETS}/feedback");
    let created = service.post_json(&token, &path, &json!({ "name": "Feedback" })).await;
    assert_eq!((created.status, &created.body["cases"]), (200, &json!(2)), "{}", created.body);
    let cases = format!("{DATASETS}/{}/cases", created.text("dataset_id"));
    let shown = service.get(&token, &cases).await.body;
    let case = |at: usize| (&shown["cases"][at]["labels"], &shown["cases"][at]["expect"]);
    assert_eq!(case(0), (&json!(["pii"]), &json!("flag")));
    assert_eq!(case(1), (&json!([]), &json!("pass")));

    let developer = service.member("dev", "developer").await;
    assert_eq!(service.get(&developer, &cases).await.status, 403);
    let none = service.post_json(&developer, &path, &json!({ "name": "Own" })).await;
    assert_eq!(none.status, 404, "{}", none.body);
    let early = json!({ "name": "Early", "to": "2020-01-01T00:00:00Z" });
    assert_eq!(service.post_json(&token, &path, &early).await.status, 404);
}

#[tokio::test]
async fn a_run_reports_confusion_wrong_cases_and_sweep_for_free() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let policy = policy(&service, &token, "strict", 0.5).await;
    let project = json!({ "projectName": "shop", "policyId": policy });
    let project = service.post_json(&token, "/api/project/create", &project).await.text("projectId");
    for prompt in ["mail joe@example.com", "good day"] {
        service.post_json(&token, ANALYZE, &json!({ "prompt": prompt, "projectId": project })).await;
    }
    let charges = service.charges(&token).await;
    let dataset = dataset(&service, &token, CASES).await;
    let id = started(&service, &token, &dataset, &policy).await;
    let run = finished(&service, &token, &id).await;
    assert_eq!(
        (&run["status"], &run["evaluated"], &run["policy_version"]),
        (&json!("done"), &json!(4), &json!(1))
    );
    let found = pii(&run);
    assert_eq!(
        ["true_positives", "false_negatives", "false_positives", "true_negatives"]
            .map(|name| found[name].clone()),
        [1, 1, 0, 2],
        "{found}"
    );
    assert_eq!((&found["recall"], &found["precision"]), (&json!(0.5), &json!(1.0)));
    assert_eq!(run["report"]["decision"]["false_positives"], 1, "the keyword blocks a harmless text");

    let wrong = service.get(&token, &format!("{RUNS}/{id}/wrong")).await.body;
    assert_eq!(wrong["total"], 2, "{wrong}");
    assert_eq!(wrong["cases"][0]["guardrails"][0]["mistake"], "missed");
    assert_eq!(
        (&wrong["cases"][1]["mistake"], &wrong["cases"][1]["decision"]),
        (&json!("false_positive"), &json!("block"))
    );
    let page = service.get(&token, &format!("{RUNS}/{id}/wrong?limit=1&guardrail=pii")).await.body;
    assert_eq!((&page["total"], &page["next_cursor"]), (&json!(1), &Value::Null));

    let sweep = service.get(&token, &format!("{RUNS}/{id}/sweep?guardrail=pii")).await.body;
    assert_eq!((&sweep["traffic"], &sweep["threshold"]), (&json!(2), &json!(0.5)), "{sweep}");
    let points = sweep["points"].as_array().unwrap();
    assert_eq!(points.len(), 49);
    let middle = points.iter().find(|point| point["threshold"] == 0.5).unwrap();
    assert_eq!(
        (&middle["recall"], &middle["traffic_triggered"], &middle["traffic_added"]),
        (&json!(0.5), &json!(1), &json!(0))
    );
    assert_eq!(service.get(&token, &format!("{RUNS}/{id}/sweep?guardrail=spam")).await.status, 404);

    assert_eq!(service.charges(&token).await, charges, "a run costs nothing");
    let logs = service.get(&token, "/api/logs").await.body;
    assert_eq!(logs["logs"].as_array().unwrap().len(), 2, "a run leaves no log entries");
    let stranger = service.stranger().await;
    for path in ["", "/wrong", "/sweep?guardrail=pii"] {
        assert_eq!(service.get(&stranger, &format!("{RUNS}/{id}{path}")).await.status, 404);
    }
}

#[tokio::test]
async fn two_runs_over_a_dataset_are_compared() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let policy = policy(&service, &token, "strict", 0.5).await;
    let data = dataset(&service, &token, CASES).await;
    let base = started(&service, &token, &data, &policy).await;
    finished(&service, &token, &base).await;
    let change = json!({ "blocked_keywords": [] });
    let changed = service.put_json(&token, &format!("/api/policy/{policy}"), &change).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    let run = started(&service, &token, &data, &policy).await;
    assert_eq!(finished(&service, &token, &run).await["policy_version"], 2);

    let path = format!("{RUNS}/{run}/comparison");
    let compared = service.get(&token, &format!("{path}?base={base}")).await;
    assert_eq!(compared.status, 200, "{}", compared.body);
    let body = compared.body;
    assert_eq!((&body["total"], &body["flipped"][0]["text"]), (&json!(1), &json!("tell me about aurora")));
    assert_eq!(
        (&body["flipped"][0]["base_decision"], &body["flipped"][0]["decision"]),
        (&json!("block"), &json!("allow"))
    );
    assert_eq!(body["guardrails"][0]["fixed"], 0);
    assert_eq!(service.get(&token, &path).await.status, 422);
    let other = dataset(&service, &token, CASES).await;
    let elsewhere = started(&service, &token, &other, &policy).await;
    finished(&service, &token, &elsewhere).await;
    assert_eq!(service.get(&token, &format!("{path}?base={elsewhere}")).await.status, 409);
    assert_eq!(service.delete(&token, &format!("{RUNS}/{base}")).await.status, 200);
    assert_eq!(service.get(&token, &format!("{path}?base={base}")).await.status, 404);
}

/// Cases that take long enough for a run to be interrupted.
fn many(count: usize) -> String {
    let case = |at: usize| {
        json!({ "text": format!("case {at}: mail jane{at}@example.com today"), "labels": ["pii"] })
            .to_string()
    };
    (0..count).map(case).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_run_continues_after_a_restart() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let policy = policy(&service, &token, "strict", 0.5).await;
    let data = dataset(&service, &token, &many(2_000)).await;
    let id = started(&service, &token, &data, &policy).await;
    let path = format!("{RUNS}/{id}");
    let under_way = async {
        while service.get(&token, &path).await.body["evaluated"].as_i64().unwrap() == 0 {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, under_way).await.expect("the run begins");
    let service = service.restarted().await;
    let token = service.owner().await;
    let evaluated = service.get(&token, &path).await.body["evaluated"].as_i64().unwrap();
    assert!((1..2_000).contains(&evaluated), "{evaluated}");
    let run = finished(&service, &token, &id).await;
    assert_eq!((&run["status"], &run["evaluated"]), (&json!("done"), &json!(2_000)));
    assert_eq!(pii(&run)["true_positives"], 2_000);
}

#[tokio::test]
async fn a_run_is_canceled_and_then_deleted() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let policy = policy(&service, &token, "strict", 0.5).await;
    let data = dataset(&service, &token, &many(5_000)).await;
    let id = started(&service, &token, &data, &policy).await;
    assert_eq!(service.delete(&token, &format!("{RUNS}/{id}")).await.status, 409);
    assert_eq!(service.delete(&token, &format!("{DATASETS}/{data}")).await.status, 409);
    let wrong = service.get(&token, &format!("{RUNS}/{id}/wrong")).await;
    assert_eq!((wrong.status, wrong.text("detail")), (409, "the run is not done".to_owned()));
    let cancel = format!("{RUNS}/{id}/cancel");
    assert_eq!(service.post_json(&token, &cancel, &json!({})).await.status, 200);
    assert_eq!(service.post_json(&token, &cancel, &json!({})).await.status, 409);
    assert_eq!(finished(&service, &token, &id).await["status"], "canceled");
    assert_eq!(service.delete(&token, &format!("{RUNS}/{id}")).await.status, 200);
    let missing = json!({ "dataset_id": data, "policyId": policy, "policy_version": 9 });
    let missing = service.post_json(&token, RUNS, &missing).await;
    assert_eq!((missing.status, missing.text("detail")), (404, "policy version not found".to_owned()));
}

#[tokio::test]
async fn an_organization_has_a_bounded_number_of_unfinished_runs() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let policy = policy(&service, &token, "strict", 0.5).await;
    let data = dataset(&service, &token, &many(5_000)).await;
    for _ in 0..10 {
        started(&service, &token, &data, &policy).await;
    }
    let body = json!({ "dataset_id": data, "policyId": policy });
    let refused = service.post_json(&token, RUNS, &body).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    let runs = service.get(&token, &format!("{RUNS}?dataset={data}")).await.body["runs"].clone();
    let running = runs.as_array().unwrap().iter().filter(|run| run["status"] == "running").count();
    assert!(running <= 1, "{runs}");
}
