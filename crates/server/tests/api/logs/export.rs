use reqwest::Method;

use crate::support::TestService;

#[tokio::test]
async fn a_csv_file_begins_with_a_byte_order_mark_on_request() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let export = async |query: &str| {
        let request = service.request(Method::GET, &format!("/api/logs/export{query}")).bearer_auth(&token);
        request.send().await.unwrap().bytes().await.unwrap()
    };
    assert!(export("").await.starts_with(b"log_id,"));
    assert!(export("?bom=false").await.starts_with(b"log_id,"));
    assert!(export("?bom=true").await.starts_with("\u{feff}log_id,".as_bytes()));
    assert!(!export("?bom=true&format=jsonl").await.starts_with("\u{feff}".as_bytes()));
    service.get(&token, "/api/logs/export?bom=yes").await.refuses(422, "bom: must be one of true, false");
}
