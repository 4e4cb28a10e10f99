use serde_json::json;

use crate::service::Running;

#[tokio::test]
async fn every_member_sees_the_organisation_and_the_catalogue() {
    let service = Running::with(&[("credits.initial", "7")]).await;
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap();
    service.app.tenants.db.create_role(org.id, "guest", "[]", service.clock.now()).await.unwrap();
    let guest = service.member("guest", "guest").await;
    let expected = json!({ "org_id": org.id, "name": "default", "role": "guest", "credits": 7 });
    assert_eq!(service.get(&guest, "/api/organization").await.body, expected);
    let catalogue = service.get(&guest, "/api/permissions").await.body;
    let entry = json!({
        "permission": "FIREWALL:ANALYZE", "module": "FIREWALL", "action": "ANALYZE",
        "description": "Evaluate prompts",
    });
    assert!(catalogue["permissions"].as_array().unwrap().contains(&entry), "{catalogue}");
}
