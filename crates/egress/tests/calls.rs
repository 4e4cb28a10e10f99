//! Calls, against servers of this process.

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

const PEER: Uuid = Uuid::from_u128(7);

#[expect(clippy::disallowed_methods, reason = "a test's own server ends with the test")]
async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    origin
}

/// A server that answers the first calls with these statuses, then with 200, and how often it was called.
async fn failing(statuses: &'static [u16]) -> (String, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let handler = move || {
        let call = counted.fetch_add(1, Ordering::SeqCst);
        let status = statuses.get(call).copied().unwrap_or(200);
        async move { StatusCode::from_u16(status).unwrap() }
    };
    (serve(Router::new().fallback(any(handler))).await, calls)
}

fn near() -> EgressClient {
    EgressClient::new(NetworkPolicy::Private).unwrap()
}

async fn asked(request: Request) -> Result<Response, Error> {
    near().send(request).await
}

#[tokio::test]
async fn headers_and_bodies_arrive_and_the_answer_comes_back() {
    let echo = |headers: HeaderMap, body: String| async move {
        format!(
            "{} {} {body}",
            headers["authorization"].to_str().unwrap(),
            headers["content-type"].to_str().unwrap()
        )
    };
    let origin = serve(Router::new().fallback(any(echo))).await;
    let request = Request::post(PEER, origin, r#"{"a":1}"#).basic("Aladdin", "open sesame");
    let answer = asked(request).await.unwrap();
    // The pair of RFC 7617, section 2.
    let expected = "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ== application/json {\"a\":1}";
    assert_eq!(String::from_utf8(answer.body).unwrap(), expected);
}

#[tokio::test]
async fn a_name_that_leads_to_this_machine_is_refused_where_it_is_resolved() {
    let origin = serve(Router::new()).await.replace("http://127.0.0.1", "https://localhost");
    let fault = EgressClient::new(NetworkPolicy::Internet)
        .unwrap()
        .send(Request::get(PEER, origin))
        .await
        .unwrap_err();
    assert!(matches!(fault, Error::Refused(Blocked::Network("this machine itself"))), "{fault}");
}

#[tokio::test]
async fn a_redirect_is_followed_within_the_origin_only() {
    let other = serve(Router::new()).await;
    let moved = Router::new()
        .route("/there", get(async |headers: HeaderMap| headers["x-key"].to_str().unwrap().to_owned()))
        .route("/here", get(async || Redirect::temporary("/there")))
        .route("/round", get(async || Redirect::temporary("/round")))
        .route("/away", get(async move || Redirect::permanent(&other)))
        .route("/metadata", get(async || Redirect::permanent("http://169.254.169.254/latest/")));
    let origin = serve(moved).await;
    let to = |path: &str| asked(Request::get(PEER, format!("{origin}{path}")).header("x-key", "k").probe());
    assert_eq!(to("/here").await.unwrap().body, b"k");
    for path in ["/away", "/metadata"] {
        let fault = to(path).await.unwrap_err();
        assert!(matches!(fault, Error::Refused(Blocked::Redirect)), "{path}: {fault}");
    }
    assert!(matches!(to("/round").await.unwrap_err(), Error::Unreachable(_)));
}

#[tokio::test]
async fn a_posted_body_goes_on_only_where_the_redirect_says_so() {
    let moved = Router::new()
        .route("/there", any(async |body: String| body))
        .route("/kept", any(async || Redirect::temporary("/there")))
        .route("/lost", any(async || (StatusCode::FOUND, [(LOCATION, "/there")]).into_response()));
    let origin = serve(moved).await;
    let to = |path: &str| asked(Request::post(PEER, format!("{origin}{path}"), "1"));
    assert_eq!(to("/kept").await.unwrap().body, b"1");
    assert_eq!(to("/lost").await.unwrap_err().status(), Some(302));
}

#[tokio::test]
async fn what_may_be_repeated_is_and_nothing_else() {
    let (origin, calls) = failing(&[503, 502]).await;
    assert!(asked(Request::get(PEER, &*origin)).await.is_ok());
    assert_eq!(calls.load(Ordering::SeqCst), 3);

    let (origin, calls) = failing(&[503]).await;
    assert_eq!(asked(Request::post(PEER, &*origin, "1")).await.unwrap_err().status(), Some(503));
    assert!(asked(Request::post(PEER, &*origin, "1").repeatable()).await.is_ok());
    assert_eq!(calls.load(Ordering::SeqCst), 2);

    let (origin, calls) = failing(&[401]).await;
    assert_eq!(asked(Request::get(PEER, &*origin)).await.unwrap_err().status(), Some(401));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn an_answer_is_bounded_in_size_and_time() {
    let server = Router::new()
        .route("/large", get(async || "x".repeat(2000)))
        .route("/slow", get(async || tokio::time::sleep(Duration::from_mins(1)).await));
    let origin = serve(server).await;
    let large = asked(Request::get(PEER, format!("{origin}/large")).at_most(1999)).await.unwrap_err();
    assert!(matches!(large, Error::TooLarge(1999)), "{large}");
    assert!(asked(Request::get(PEER, format!("{origin}/large")).at_most(2000)).await.is_ok());
    let slow = Request::get(PEER, format!("{origin}/slow")).within(Duration::from_millis(100));
    let slow = asked(slow).await.unwrap_err();
    assert_eq!(slow.to_string(), "it did not answer within 100 ms");
}

#[tokio::test]
async fn a_peer_that_keeps_failing_is_left_alone_except_by_a_probe() {
    let (origin, calls) = failing(&[500, 500, 500, 500, 500]).await;
    let outgoing = near();
    let post = || Request::post(PEER, &*origin, "1");
    for _ in 0..5 {
        assert_eq!(outgoing.send(post()).await.unwrap_err().status(), Some(500));
    }
    let resting = outgoing.send(post()).await.unwrap_err();
    assert!(matches!(resting, Error::Resting(_)), "{resting}");
    let other = Request::post(Uuid::from_u128(8), &*origin, "1");
    assert!(outgoing.send(other).await.is_ok(), "another peer is none of its business");
    assert!(outgoing.send(post().probe()).await.is_ok());
    assert!(outgoing.send(post()).await.is_ok());
    assert_eq!(calls.load(Ordering::SeqCst), 8);
}

#[tokio::test]
async fn no_more_than_sixteen_calls_to_a_peer_are_under_way() {
    let handler = async || tokio::time::sleep(Duration::from_secs(20)).await;
    let origin = serve(Router::new().fallback(any(handler))).await;
    let outgoing = near();
    let slow = || outgoing.send(Request::get(PEER, &*origin).within(Duration::from_secs(15)).probe());
    let mut open: Vec<_> = (0..16).map(|_| Box::pin(slow())).collect();
    for call in &mut open {
        tokio::time::timeout(Duration::from_millis(20), call).await.unwrap_err();
    }
    let one_more = Request::get(PEER, &*origin).within(Duration::from_millis(100));
    assert!(matches!(outgoing.send(one_more).await.unwrap_err(), Error::Busy));
}

#[tokio::test]
async fn what_is_told_of_a_dead_port_holds_no_address() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let fault = asked(Request::get(PEER, format!("http://127.0.0.1:{port}/secret-path"))).await.unwrap_err();
    assert!(matches!(fault, Error::Unreachable(_)) && !fault.to_string().contains("secret-path"), "{fault}");
}

#[tokio::test]
async fn a_secret_that_fits_into_no_header_is_refused_without_being_told() {
    let fault = asked(Request::get(PEER, "http://127.0.0.1:9").bearer("hunter2\n")).await.unwrap_err();
    assert!(
        matches!(fault, Error::Refused(Blocked::Header)) && !fault.to_string().contains("hunter2"),
        "{fault}"
    );
}
