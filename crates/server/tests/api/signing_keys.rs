use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::service::{PASSWORD, Running};

fn key_id(token: &str) -> String {
    let header = BASE64_URL_SAFE_NO_PAD.decode(token.split('.').next().unwrap()).unwrap();
    let header: Value = serde_json::from_slice(&header).unwrap();
    header["kid"].as_str().unwrap().to_owned()
}

/// Signs in until the key of that id signs.
async fn signed_by(service: &Running, kid: &str) -> String {
    let until = async {
        loop {
            let token = service.sign_in("admin", PASSWORD).await.text("access_token");
            if key_id(&token) == kid {
                return token;
            }
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(Duration::from_secs(10), until).await.expect("the new key signs within seconds")
}

#[tokio::test]
async fn a_new_key_signs_within_seconds_and_no_session_ends() {
    let service = Running::with(&[("limits.token", "off")]).await;
    let before = service.owner().await;
    let kid = service.admin(&["rotate-signing-key"]).await.unwrap()["kid"].as_str().unwrap().to_owned();
    assert_ne!(key_id(&before), kid);
    service.clock.advance(Duration::from_secs(10));
    let after = signed_by(&service, &kid).await;
    for token in [&before, &after] {
        assert_eq!(service.get(token, "/api/organization").await.status, 200);
    }
    let service = service.restarted().await;
    for token in [&before, &after] {
        assert_eq!(service.get(token, "/api/organization").await.status, 200);
    }
}

#[tokio::test]
async fn what_one_replica_signs_with_a_new_key_opens_the_others() {
    let service = Running::with(&[("limits.token", "off")]).await;
    let replica = service.replica().await;
    for _ in 0..2 {
        let kid = service.admin(&["rotate-signing-key"]).await.unwrap()["kid"].as_str().unwrap().to_owned();
        // The clock of the test leaps; replicas read keys each second of the machine's.
        sleep(Duration::from_millis(1500)).await;
        service.clock.advance(Duration::from_secs(10));
        let token = signed_by(&service, &kid).await;
        assert_eq!(replica.get(&token, "/api/organization").await.status, 200);
    }
}

#[tokio::test]
async fn older_keys_are_forgotten_when_all_that_they_signed_is_over() {
    let service = Running::start().await;
    service.admin(&["rotate-signing-key"]).await.unwrap();
    service.clock.advance(Duration::from_mins(15));
    let service = service.restarted().await;
    assert_eq!(service.app.tenants.db.signing_keys().await.unwrap().len(), 2);
    service.clock.advance(Duration::from_mins(15));
    let service = service.restarted().await;
    let until = async {
        while service.app.tenants.db.signing_keys().await.unwrap().len() > 1 {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(10), until).await.expect("the sweep at the start forgets it");
    assert_eq!(service.sign_in("admin", PASSWORD).await.status, 200);
}
