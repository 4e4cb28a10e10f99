//! Calls against local servers.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    http::{HeaderMap, StatusCode, header::LOCATION},
    response::{IntoResponse, Redirect},
    routing::{any, get},
};
use guardengine_egress::{Blocked, EgressClient, Error, NetworkPolicy, Request, Response};
use tokio::net::TcpListener;
use uuid::Uuid;

const DESTINATION: Uuid = Uuid::from_u128(7);

#[expect(clippy::disallowed_methods, reason = "the server of a test ends with the test")]
async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    origin
}

/// Starts a server that returns these statuses for the first calls and 200 afterwards. Returns its origin and a call
/// counter.
async fn failing(statuses: &'static [u16]) -> (String, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let handler = move || {
        let call = counter.fetch_add(1, Ordering::SeqCst);
        let status = statuses.get(call).copied().unwrap_or(200);
        async move { StatusCode::from_u16(status).unwrap() }
    };
    (serve(Router::new().fallback(any(handler))).await, calls)
}

fn private_client() -> EgressClient {
    EgressClient::new(NetworkPolicy::Private).unwrap()
}

async fn send(request: Request) -> Result<Response, Error> {
    private_client().send(request).await
}

#[tokio::test]
async fn sends_headers_and_body_and_returns_the_response() {
    let echo = |headers: HeaderMap, body: String| async move {
        format!(
            "{} {} {body}",
            headers["authorization"].to_str().unwrap(),
            headers["content-type"].to_str().unwrap()
        )
    };
    let origin = serve(Router::new().fallback(any(echo))).await;
    let request = Request::post(DESTINATION, origin, r#"{"a":1}"#).basic("Aladdin", "open sesame");
    let response = send(request).await.unwrap();
    // The credentials of RFC 7617, section 2.
    let expected = "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ== application/json {\"a\":1}";
    assert_eq!(String::from_utf8(response.body).unwrap(), expected);
}

#[tokio::test]
async fn blocks_a_name_that_resolves_to_loopback() {
    let origin = serve(Router::new()).await.replace("http://127.0.0.1", "https://localhost");
    let error = EgressClient::new(NetworkPolicy::Internet)
        .unwrap()
        .send(Request::get(DESTINATION, origin))
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Blocked(Blocked::Network("this machine itself"))), "{error}");
}

#[tokio::test]
async fn follows_redirects_only_within_the_origin() {
    let other = serve(Router::new()).await;
    let moved = Router::new()
        .route("/there", get(async |headers: HeaderMap| headers["x-key"].to_str().unwrap().to_owned()))
        .route("/here", get(async || Redirect::temporary("/there")))
        .route("/round", get(async || Redirect::temporary("/round")))
        .route("/away", get(async move || Redirect::permanent(&other)))
        .route("/metadata", get(async || Redirect::permanent("http://169.254.169.254/latest/")));
    let origin = serve(moved).await;
    let to =
        |path: &str| send(Request::get(DESTINATION, format!("{origin}{path}")).header("x-key", "k").probe());
    assert_eq!(to("/here").await.unwrap().body, b"k");
    for path in ["/away", "/metadata"] {
        let error = to(path).await.unwrap_err();
        assert!(matches!(error, Error::Blocked(Blocked::Redirect)), "{path}: {error}");
    }
    assert!(matches!(to("/round").await.unwrap_err(), Error::Unreachable(_)));
}

#[tokio::test]
async fn resends_a_posted_body_only_for_redirects_that_keep_the_method() {
    let moved = Router::new()
        .route("/there", any(async |body: String| body))
        .route("/kept", any(async || Redirect::temporary("/there")))
        .route("/lost", any(async || (StatusCode::FOUND, [(LOCATION, "/there")]).into_response()));
    let origin = serve(moved).await;
    let to = |path: &str| send(Request::post(DESTINATION, format!("{origin}{path}"), "1"));
    assert_eq!(to("/kept").await.unwrap().body, b"1");
    assert_eq!(to("/lost").await.unwrap_err().status(), Some(302));
}

#[tokio::test]
async fn retries_only_repeatable_calls() {
    let (origin, calls) = failing(&[503, 502]).await;
    assert!(send(Request::get(DESTINATION, &*origin)).await.is_ok());
    assert_eq!(calls.load(Ordering::SeqCst), 3);

    let (origin, calls) = failing(&[503]).await;
    assert_eq!(send(Request::post(DESTINATION, &*origin, "1")).await.unwrap_err().status(), Some(503));
    assert!(send(Request::post(DESTINATION, &*origin, "1").repeatable()).await.is_ok());
    assert_eq!(calls.load(Ordering::SeqCst), 2);

    let (origin, calls) = failing(&[401]).await;
    assert_eq!(send(Request::get(DESTINATION, &*origin)).await.unwrap_err().status(), Some(401));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn bounds_responses_in_size_and_time() {
    let server = Router::new()
        .route("/large", get(async || "x".repeat(2000)))
        .route("/slow", get(async || tokio::time::sleep(Duration::from_mins(1)).await));
    let origin = serve(server).await;
    let large = send(Request::get(DESTINATION, format!("{origin}/large")).at_most(1999)).await.unwrap_err();
    assert!(matches!(large, Error::TooLarge(1999)), "{large}");
    assert!(send(Request::get(DESTINATION, format!("{origin}/large")).at_most(2000)).await.is_ok());
    let slow = Request::get(DESTINATION, format!("{origin}/slow")).within(Duration::from_millis(100));
    let slow = send(slow).await.unwrap_err();
    assert_eq!(slow.to_string(), "no response within 100 ms");
}

#[tokio::test]
async fn pauses_calls_to_a_failing_destination_except_probes() {
    let (origin, calls) = failing(&[500, 500, 500, 500, 500]).await;
    let client = private_client();
    let post = || Request::post(DESTINATION, &*origin, "1");
    for _ in 0..5 {
        assert_eq!(client.send(post()).await.unwrap_err().status(), Some(500));
    }
    let paused = client.send(post()).await.unwrap_err();
    assert!(matches!(paused, Error::CircuitOpen(_)), "{paused}");
    let other = Request::post(Uuid::from_u128(8), &*origin, "1");
    assert!(client.send(other).await.is_ok(), "other destinations are not affected");
    assert!(client.send(post().probe()).await.is_ok());
    assert!(client.send(post()).await.is_ok());
    assert_eq!(calls.load(Ordering::SeqCst), 8);
}

#[tokio::test]
async fn limits_concurrent_calls_per_destination_to_sixteen() {
    let handler = async || tokio::time::sleep(Duration::from_secs(20)).await;
    let origin = serve(Router::new().fallback(any(handler))).await;
    let client = private_client();
    let slow = || client.send(Request::get(DESTINATION, &*origin).within(Duration::from_secs(15)).probe());
    let mut open: Vec<_> = (0..16).map(|_| Box::pin(slow())).collect();
    for call in &mut open {
        tokio::time::timeout(Duration::from_millis(20), call).await.unwrap_err();
    }
    let one_more = Request::get(DESTINATION, &*origin).within(Duration::from_millis(100));
    assert!(matches!(client.send(one_more).await.unwrap_err(), Error::Busy));
}

#[tokio::test]
async fn connection_errors_do_not_contain_the_address() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let error =
        send(Request::get(DESTINATION, format!("http://127.0.0.1:{port}/secret-path"))).await.unwrap_err();
    assert!(matches!(error, Error::Unreachable(_)) && !error.to_string().contains("secret-path"), "{error}");
}

#[tokio::test]
async fn rejects_an_invalid_secret_without_showing_it() {
    let error = send(Request::get(DESTINATION, "http://127.0.0.1:9").bearer("hunter2\n")).await.unwrap_err();
    assert!(
        matches!(error, Error::Blocked(Blocked::Header)) && !error.to_string().contains("hunter2"),
        "{error}"
    );
}

#[tokio::test]
async fn an_open_response_is_read_within_its_bounds() {
    let origin = serve(Router::new().fallback(any(|| async { "x".repeat(1_000) }))).await;
    let open = async || private_client().open(Request::post(DESTINATION, &origin, "{}")).await.unwrap();
    let wait = Duration::from_secs(5);
    assert_eq!(open().await.read(1_000, wait).await.unwrap().len(), 1_000);
    assert!(matches!(open().await.read(999, wait).await, Err(Error::TooLarge(999))));
}

#[tokio::test]
async fn opening_is_repeated_before_the_answer_begins() {
    let (origin, calls) = failing(&[503, 502]).await;
    private_client().open(Request::post(DESTINATION, &origin, "{}").repeatable()).await.unwrap();
    assert_eq!(calls.load(Ordering::SeqCst), 3);
    let (origin, calls) = failing(&[429, 200]).await;
    let refused = private_client().open(Request::post(DESTINATION, &origin, "{}")).await.unwrap_err();
    assert_eq!((refused.status(), calls.load(Ordering::SeqCst)), (Some(429), 1));
}

#[tokio::test]
async fn open_responses_have_slots_of_their_own() {
    let origin = serve(Router::new().fallback(any(|| async { "x" }))).await;
    let client = private_client();
    let mut open = Vec::new();
    for _ in 0..1_024 {
        open.push(client.open(Request::post(DESTINATION, &origin, "{}")).await.unwrap());
    }
    assert!(matches!(client.open(Request::post(DESTINATION, &origin, "{}")).await, Err(Error::Busy)));
    assert!(client.send(Request::post(DESTINATION, &origin, "{}")).await.is_ok());
    open.clear();
    assert!(client.open(Request::post(DESTINATION, &origin, "{}")).await.is_ok());
}
