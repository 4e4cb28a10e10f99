//! Language models that fail or lie: 503, nothing is allowed, nothing is charged.

use std::time::{Duration, Instant};

use axum::{Router, response::Redirect};
use guardengine_test_support::{
    fake_server::{FakeServer, listen, serve},
    language_model::{self, Question, completion, questions},
};
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    time::{sleep, timeout},
};

use crate::support::{Response, TestService};

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";
const UNAVAILABLE: &str = "LLM reasoning is unavailable";
const KIND: &str = "openai_compatible";

async fn balance(service: &TestService, token: &str) -> Value {
    service.get(token, "/api/credits").await.body["balance"].clone()
}

async fn reasoned(service: &TestService, token: &str) -> Response {
    let body = json!({ "prompt": "What is a good recipe for onion soup?", "enable_llm_reasoning": true });
    service.post_json(token, ANALYZE, &body).await
}

/// Asserts that a model at this URL leads to 503 in time, without a log entry and a charge, and returns the service.
async fn allows_nothing(url: &str, set: &[(&str, &str)]) -> TestService {
    let service = TestService::with_fake_servers(set).await;
    let token = service.owner().await;
    service.connector(&token, KIND, url, &json!({})).await;
    let (before, began) = (balance(&service, &token).await, Instant::now());
    let answer = reasoned(&service, &token).await;
    answer.refuses(503, UNAVAILABLE);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!(answer.header("retry-after"), "1");
    assert_eq!(balance(&service, &token).await, before);
    assert_eq!(service.get(&token, "/api/logs").await.body["logs"], json!([]));
    let metrics = service.metrics();
    let counted = |line: &str| line.contains("operation=\"analyze\"") && line.contains("not_judged");
    assert!(metrics.lines().any(counted), "{metrics}");
    service
}

#[tokio::test]
async fn a_dead_provider_never_allows() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let service = allows_nothing(&format!("http://127.0.0.1:{port}/v1"), &[]).await;
    let token = service.owner().await;
    // Also while the status is `error` and while the circuit is open.
    for _ in 0..5 {
        reasoned(&service, &token).await.refuses(503, UNAVAILABLE);
    }
    let listed = service.get(&token, "/api/connectors/list").await;
    assert_eq!(listed.body["connectors"][0]["status"], "error");
}

#[tokio::test]
async fn a_slow_provider_never_allows() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let began = Instant::now();
    allows_nothing(&url, &[("llm.timeout", "500ms")]).await;
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

#[tokio::test]
async fn an_address_in_a_blocked_network_never_allows() {
    let model = language_model::start_with_risks(&[]).await;
    let service = TestService::with_fake_servers(&[]).await;
    let token = service.owner().await;
    service.connector(&token, KIND, &model.url, &json!({})).await;
    // The restarted service has default settings, which block private addresses.
    let service = service.restarted().await;
    let token = service.owner().await;
    reasoned(&service, &token).await.refuses(503, UNAVAILABLE);
    assert_eq!(questions(&model).len(), 0);
}

#[tokio::test]
async fn a_redirecting_provider_never_allows_and_leads_nowhere() {
    let elsewhere = language_model::start_with_risks(&[]).await;
    let url = elsewhere.url.clone();
    let (listener, base) = listen().await;
    let redirect = move || {
        let target = format!("{url}/v1/chat/completions");
        async move { Redirect::temporary(&target) }
    };
    serve(listener, Router::new().fallback(redirect));
    allows_nothing(&format!("{base}/v1"), &[]).await;
    assert_eq!(elsewhere.requests().len(), 0);
}

#[tokio::test]
async fn an_overloaded_provider_is_asked_a_few_times_and_never_allows() {
    let model = language_model::start(KIND, |_| (503, json!({ "error": { "message": "overloaded" } }))).await;
    allows_nothing(&model.url, &[]).await;
    assert!((1..=3).contains(&questions(&model).len()), "{}", questions(&model).len());
}

#[tokio::test]
async fn a_retried_provider_is_used() {
    let tries = std::sync::atomic::AtomicUsize::new(0);
    let model = language_model::start(KIND, move |question| {
        if tries.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0 {
            return (503, json!({}));
        }
        (200, completion(KIND, &question.opinion(&[], "fine").to_string()))
    })
    .await;
    let service = TestService::with_fake_servers(&[]).await;
    let token = service.owner().await;
    service.connector(&token, KIND, &model.url, &json!({})).await;
    assert_eq!(reasoned(&service, &token).await.text("action"), "allow");
}

#[tokio::test]
async fn an_oversized_answer_never_allows() {
    let model = language_model::start(KIND, |question| {
        let mut opinion = question.opinion(&[], "fine").to_string();
        opinion.push_str(&" ".repeat(300 * 1024));
        (200, completion(KIND, &opinion))
    })
    .await;
    allows_nothing(&model.url, &[]).await;
}

/// Starts a model whose opinion is changed before it is sent.
async fn lying(change: impl Fn(&Question, Value) -> Value + Send + Sync + 'static) -> FakeServer {
    language_model::start(KIND, move |question| {
        let opinion = change(question, question.opinion(&[], "fine"));
        (200, completion(KIND, &opinion.as_str().map_or_else(|| opinion.to_string(), str::to_owned)))
    })
    .await
}

#[tokio::test]
async fn a_lying_provider_never_allows() {
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 8] = [
        ("an answer of the text's own", |opinion| *opinion = json!("allow")),
        ("a decision", |opinion| *opinion = json!({ "decision": "allow", "risk": 0 })),
        ("a field more", |opinion| opinion["decision"] = json!("allow")),
        ("another nonce", |opinion| opinion["nonce"] = json!("0".repeat(32))),
        ("a negative risk", |opinion| opinion["risks"]["toxicity"] = json!(-1)),
        ("a risk in words", |opinion| opinion["risks"]["toxicity"] = json!("none")),
        ("a guardrail more", |opinion| opinion["risks"]["anything"] = json!(0)),
        ("an answer that is cut", |opinion| {
            let whole = opinion.to_string();
            *opinion = json!(whole[..whole.len() - 1]);
        }),
    ];
    for (what, change) in changes {
        let model = lying(move |_, mut opinion| {
            change(&mut opinion);
            opinion
        })
        .await;
        allows_nothing(&model.url, &[]).await;
        assert_eq!(questions(&model).len(), 1, "{what}");
    }
}

#[tokio::test]
async fn an_answer_to_another_question_never_allows() {
    let first = std::sync::Mutex::new(None::<Value>);
    let model = lying(move |_, opinion| first.lock().unwrap().get_or_insert(opinion).clone()).await;
    let service = TestService::with_fake_servers(&[]).await;
    let token = service.owner().await;
    service.connector(&token, KIND, &model.url, &json!({})).await;
    assert_eq!(reasoned(&service, &token).await.status, 200);
    reasoned(&service, &token).await.refuses(503, UNAVAILABLE);
}

#[tokio::test]
async fn a_refused_credential_never_allows_and_shows_in_the_status() {
    let model =
        language_model::start(KIND, |_| (401, json!({ "error": { "message": "k-1 is wrong" } }))).await;
    let service = allows_nothing(&model.url, &[]).await;
    let token = service.owner().await;
    // A check that is in progress may overwrite the status; the next refused request sets it again.
    let until = async {
        loop {
            reasoned(&service, &token).await.refuses(503, UNAVAILABLE);
            let shown = service.get(&token, "/api/connectors/list").await;
            if shown.body["connectors"][0]["status"] == "error" {
                return shown;
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    let shown = timeout(Duration::from_secs(10), until).await.expect("the status follows");
    assert!(!shown.body.to_string().contains("k-1"), "{}", shown.body);
}
