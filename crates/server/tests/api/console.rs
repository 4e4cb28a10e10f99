//! Tests of the console's pages, which pass with and without a built console.

use reqwest::{Method, Response};

use crate::support::{TestService, send};

async fn browse(service: &TestService, path: &str) -> Response {
    service.request(Method::GET, path).header("accept", "text/html,*/*;q=0.8").send().await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers()[name].to_str().unwrap()
}

#[tokio::test]
async fn every_address_of_the_console_begins_with_the_same_page() {
    let service = TestService::start().await;
    let home = browse(&service, "/").await.text().await.unwrap();
    assert!(home.contains("<title>guardengine</title>"), "{home}");
    for path in ["/logs", "/policies/01890a5d-ac96-774b-bcce-b302099a8057", "/sign-in?next=%2Flogs"] {
        let page = browse(&service, path).await;
        assert_eq!(
            (page.status().as_u16(), header(&page, "content-type")),
            (200, "text/html; charset=utf-8"),
            "{path}"
        );
        assert_eq!(page.text().await.unwrap(), home, "{path}");
    }
}

#[tokio::test]
async fn the_page_loads_nothing_from_other_hosts_and_is_not_cached() {
    let service = TestService::start().await;
    let page = browse(&service, "/").await;
    let policy = header(&page, "content-security-policy");
    for rule in ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"] {
        assert!(policy.contains(rule) && !policy.contains("unsafe"), "{policy}");
    }
    let rest = ["x-content-type-options", "referrer-policy", "cache-control"].map(|name| header(&page, name));
    assert_eq!(rest, ["nosniff", "no-referrer", "no-cache"]);
}

#[tokio::test]
async fn unknown_paths_and_files_stay_404() {
    let service = TestService::start().await;
    for path in [
        "/api/nothing",
        "/v2/nothing",
        "/auth/nothing",
        "/api-keys/nothing/more",
        "/assets/gone-1.js",
        "/.gitkeep",
    ] {
        assert_eq!(browse(&service, path).await.status(), 404, "{path}");
    }
    send(service.request(Method::GET, "/logs")).await.refuses(404, "path not found");
    let posted = service.request(Method::POST, "/logs").header("accept", "text/html");
    send(posted).await.refuses(404, "path not found");
}
