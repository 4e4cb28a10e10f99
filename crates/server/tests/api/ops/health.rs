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
