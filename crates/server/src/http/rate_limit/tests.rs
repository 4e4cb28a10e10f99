//! Tests of rate limits counted in this process. The replica tests check the same through Redis.

use super::*;

fn counters() -> RateLimiter {
    RateLimiter::Local(Local::default())
}

#[tokio::test]
async fn a_window_starts_with_its_first_request_and_refusals_do_not_extend_it() {
    let counters = counters();
    let limit = "2/60s".parse().unwrap();
    let at = |seconds| Timestamp::default() + Duration::from_secs(seconds);
    let mut values = Vec::new();
    for seconds in [100, 130, 159, 160] {
        let key = LimitKey::Principal(Uuid::nil());
        let status = counters.count((Method::GET, "/x"), key, limit, at(seconds)).await.unwrap();
        values.push(status.values());
    }
    assert_eq!(values, [(true, 1, 160, 60), (true, 0, 160, 30), (false, 0, 160, 1), (true, 1, 220, 60)]);
}

async fn admits(counters: &RateLimiter, (method, path): Operation, id: u128, limit: &str) -> bool {
    let (key, now) = (LimitKey::Principal(Uuid::from_u128(id)), Timestamp::default());
    let status = counters.count((method, path), key, limit.parse().unwrap(), now).await;
    status.unwrap().check(path).is_ok()
}

#[tokio::test]
async fn a_shorter_window_applies_at_once() {
    let counters = counters();
    for (limit, expected) in [("1/60s", true), ("1/60s", false), ("1/2s", true), ("1/2s", false)] {
        assert_eq!(admits(&counters, (Method::GET, "/x"), 1, limit).await, expected);
    }
}

#[tokio::test]
async fn principals_paths_and_methods_are_counted_separately() {
    let counters = counters();
    for (method, path, id, expected) in [
        (Method::GET, "/x", 1, true),
        (Method::GET, "/x", 2, true),
        (Method::GET, "/y", 1, true),
        (Method::PUT, "/x", 1, true),
        (Method::GET, "/x", 1, false),
    ] {
        assert_eq!(admits(&counters, (method, path), id, "1/60s").await, expected);
    }
}
