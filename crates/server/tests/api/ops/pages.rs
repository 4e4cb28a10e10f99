use reqwest::Method;

use crate::support::TestService;

#[tokio::test]
async fn the_pages_load_nothing_from_other_hosts() {
    let service = TestService::start().await;
    for path in ["/", "/docs"] {
        let page = service.request(Method::GET, path).send().await.unwrap();
        assert_eq!(page.status(), 200);
        let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        let page = page.text().await.unwrap();
        assert!(
            !page.contains("src=\"http") && !page.contains("href=\"http") && !page.contains("@import"),
            "{path}"
        );
    }
}
