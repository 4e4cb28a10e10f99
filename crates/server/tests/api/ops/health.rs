use insta::assert_snapshot;
use reqwest::Method;

use crate::support::TestService;

#[tokio::test]
async fn operators_see_health_readiness_and_metrics() {
    let service = TestService::start().await;
    service.sign_in("admin", "wrong").await;
    assert_snapshot!(service.get_public("/healthz").await.snapshot(), @r#"
    HTTP 200
    {
      "status": "ok"
    }
    "#);
    let ready = service.get_public("/readyz").await;
    assert_eq!((ready.status, ready.text("status").as_str()), (200, "ok"));
    let metrics = service.request(Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
    assert!(metrics.contains("guardengine_sign_ins_total{outcome=\"refused\"}"), "{metrics}");
}

#[tokio::test]
async fn verbose_readiness_shows_the_state_of_each_part() {
    let service = TestService::start().await;
    for query in ["verbose", "verbose=true", "scope=replica&verbose"] {
        let ready = service.get_public(&format!("/readyz?{query}")).await;
        assert_eq!(ready.status, 200, "{}", ready.body);
        let checks = ready.body["checks"].as_array().unwrap();
        let status = |name: &str| {
            checks.iter().find(|check| check["name"] == name).map(|check| check["status"].as_str().unwrap())
        };
        for name in ["store", "writes", "schema", "engine", "keys", "log_sink"] {
            assert_eq!(status(name), Some("ok"), "{name}: {}", ready.body);
        }
        assert!(status("disk").is_some() && status("redis").is_none(), "{}", ready.body);
        assert!(checks.iter().all(|check| check.as_object().unwrap().len() == 2), "{}", ready.body);
    }
    assert!(service.get_public("/readyz").await.body.get("checks").is_none());
    for query in ["verbose=maybe", "scope=world"] {
        assert_eq!(service.get_public(&format!("/readyz?{query}")).await.status, 422, "{query}");
    }
}

#[tokio::test]
async fn invented_methods_and_paths_are_no_labels() {
    let service = TestService::start().await;
    for (method, path) in [("BREW", "/healthz"), ("BREW", "/no-such-path-7"), ("GET", "/no-such-path-8")] {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        assert!(service.request(method, path).send().await.unwrap().status().is_client_error());
    }
    let metrics = service.request(Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
    assert!(!metrics.contains("BREW") && !metrics.contains("no-such-path"), "{metrics}");
    for labels in [
        "path=\"/healthz\",method=\"other\",status=\"405\"",
        "path=\"unmatched\",method=\"GET\",status=\"404\"",
    ] {
        assert!(metrics.contains(labels), "{labels}: {metrics}");
    }
}
