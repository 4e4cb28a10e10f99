use reqwest::Method;

use crate::support::{TestService, send};

#[tokio::test]
async fn operators_see_health_readiness_and_figures() {
    let service = TestService::start().await;
    service.sign_in("admin", "wrong").await;
    for path in ["/healthz", "/readyz"] {
        assert_eq!(send(service.request(Method::GET, path)).await.status, 200);
    }
    let figures = service.request(Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
    assert!(figures.contains("guardengine_sign_ins_total{outcome=\"refused\"}"), "{figures}");
}
