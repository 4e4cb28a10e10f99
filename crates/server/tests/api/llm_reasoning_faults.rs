//! Language models that are dead, slow, overloaded or lie: 503, nothing is allowed, nothing is charged.

use std::time::{Duration, Instant};

use axum::{Router, response::Redirect};
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    time::{sleep, timeout},
};

use crate::{
    peers::Peer,
    providers::{Asked, connector, judge, model, near, questions, said},
    service::{Answer, Running},
};

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";
const UNAVAILABLE: &str = "LLM reasoning is unavailable";
const KIND: &str = "openai_compatible";

async fn balance(service: &Running, token: &str) -> Value {
    service.get(token, "/api/credits").await.body["balance"].clone()
}

async fn reasoned(service: &Running, token: &str) -> Answer {
    let body = json!({ "prompt": "What is a good recipe for onion soup?", "enable_llm_reasoning": true });
    service.post_json(token, ANALYZE, &body).await
}

/// What a model at that address leads to: 503 in time, no row, no charge, and a request that was not judged.
async fn allows_nothing(url: &str, set: &[(&str, &str)]) -> Running {
    let service = near(set).await;
    let token = service.owner().await;
    connector(&service, &token, KIND, url, &json!({})).await;
    let (before, began) = (balance(&service, &token).await, Instant::now());
    let answer = reasoned(&service, &token).await;
    answer.refuses(503, UNAVAILABLE);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!(answer.header("retry-after"), "1");
    assert_eq!(balance(&service, &token).await, before);
    assert_eq!(service.get(&token, "/api/logs").await.body["logs"], json!([]));
    let figures = service.app.operations.metrics.render();
    let counted = |line: &str| line.contains("operation=\"analyze\"") && line.contains("not_judged");
    assert!(figures.lines().any(counted), "{figures}");
    service
}

#[tokio::test]
async fn a_dead_provider_never_allows() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let service = allows_nothing(&format!("http://127.0.0.1:{port}/v1"), &[]).await;
    let token = service.owner().await;
    // Also when its status says by now that it failed, and when it is left alone for a while.
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
async fn an_address_that_is_out_of_reach_by_now_never_allows() {
    let peer = judge(&[]).await;
    let service = near(&[]).await;
    let token = service.owner().await;
    connector(&service, &token, KIND, &peer.url, &json!({})).await;
    // With the defaults, where private addresses are not allowed.
    let service = service.restarted().await;
    let token = service.owner().await;
    reasoned(&service, &token).await.refuses(503, UNAVAILABLE);
    assert_eq!(questions(&peer).len(), 0);
}

#[tokio::test]
async fn a_redirecting_provider_never_allows_and_leads_nowhere() {
    let elsewhere = judge(&[]).await;
    let url = elsewhere.url.clone();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let router = Router::new().fallback(move || {
        let to = format!("{url}/v1/chat/completions");
        async move { Redirect::temporary(&to) }
    });
    #[expect(clippy::disallowed_methods, reason = "a test's own server ends with the test")]
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    allows_nothing(&address, &[]).await;
    assert_eq!(elsewhere.seen().len(), 0);
}

#[tokio::test]
async fn an_overloaded_provider_is_asked_a_few_times_and_never_allows() {
    let peer = model(KIND, |_| (503, json!({ "error": { "message": "overloaded" } }))).await;
    allows_nothing(&peer.url, &[]).await;
    assert!((1..=3).contains(&questions(&peer).len()), "{}", questions(&peer).len());
}

#[tokio::test]
async fn a_provider_that_recovers_is_heard() {
    let tries = std::sync::atomic::AtomicUsize::new(0);
    let peer = model(KIND, move |asked| {
        if tries.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0 {
            return (503, json!({}));
        }
        (200, said(KIND, &asked.judgement(&[], "fine").to_string()))
    })
    .await;
    let service = near(&[]).await;
    let token = service.owner().await;
    connector(&service, &token, KIND, &peer.url, &json!({})).await;
    assert_eq!(reasoned(&service, &token).await.text("action"), "allow");
}

#[tokio::test]
async fn an_oversized_answer_never_allows() {
    let peer = model(KIND, |asked| {
        let mut judgement = asked.judgement(&[], "fine").to_string();
        judgement.push_str(&" ".repeat(300 * 1024));
        (200, said(KIND, &judgement))
    })
    .await;
    allows_nothing(&peer.url, &[]).await;
}

/// A model whose judgement is changed so before it is sent.
async fn lying(change: impl Fn(&Asked, Value) -> Value + Send + Sync + 'static) -> Peer {
    model(KIND, move |asked| {
        let judgement = change(asked, asked.judgement(&[], "fine"));
        (200, said(KIND, &judgement.as_str().map_or_else(|| judgement.to_string(), str::to_owned)))
    })
    .await
}

#[tokio::test]
async fn a_lying_provider_never_allows() {
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 8] = [
        ("an answer of the text's own", |judgement| *judgement = json!("allow")),
        ("a decision", |judgement| *judgement = json!({ "decision": "allow", "risk": 0 })),
        ("a field more", |judgement| judgement["decision"] = json!("allow")),
        ("another nonce", |judgement| judgement["nonce"] = json!("0".repeat(32))),
        ("a negative risk", |judgement| judgement["risks"]["toxicity"] = json!(-1)),
        ("a risk in words", |judgement| judgement["risks"]["toxicity"] = json!("none")),
        ("a guardrail more", |judgement| judgement["risks"]["anything"] = json!(0)),
        ("an answer that is cut", |judgement| {
            let whole = judgement.to_string();
            *judgement = json!(whole[..whole.len() - 1]);
        }),
    ];
    for (what, change) in changes {
        let peer = lying(move |_, mut judgement| {
            change(&mut judgement);
            judgement
        })
        .await;
        allows_nothing(&peer.url, &[]).await;
        assert_eq!(questions(&peer).len(), 1, "{what}");
    }
}

#[tokio::test]
async fn an_answer_to_another_question_never_allows() {
    let first = std::sync::Mutex::new(None::<Value>);
    let peer = lying(move |_, judgement| first.lock().unwrap().get_or_insert(judgement).clone()).await;
    let service = near(&[]).await;
    let token = service.owner().await;
    connector(&service, &token, KIND, &peer.url, &json!({})).await;
    assert_eq!(reasoned(&service, &token).await.status, 200);
    reasoned(&service, &token).await.refuses(503, UNAVAILABLE);
}

#[tokio::test]
async fn a_refused_credential_never_allows_and_shows_in_the_status() {
    let peer = model(KIND, |_| (401, json!({ "error": { "message": "k-1 is wrong" } }))).await;
    let service = allows_nothing(&peer.url, &[]).await;
    let token = service.owner().await;
    // A check of the connector may be under way, and has the word then.
    let until = async {
        loop {
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
