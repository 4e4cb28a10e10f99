use insta::assert_snapshot;
use serde_json::json;

use crate::support::TestService;

#[tokio::test]
async fn every_member_reads_the_organization_and_the_permissions() {
    let service = TestService::with(&[("credits.initial", "7")]).await;
    let org = service.db.org_by_name("default").await.unwrap().unwrap();
    service.change(async |tx| tx.create_role(org.id, "guest", "[]", service.clock.now()).await).await;
    let guest = service.member("guest", "guest").await;
    assert_snapshot!(service.get(&guest, "/api/organization").await.snapshot(), @r#"
    HTTP 200
    {
      "credits": 7,
      "default_log_content": null,
      "name": "default",
      "org_id": "[id]",
      "require_project": false,
      "role": "guest",
      "service": {
        "audit_retention": null,
        "credit_retention": null,
        "idle_timeout": 1020,
        "lockout_attempts": 5,
        "lockout_duration": 600,
        "log_retention": null,
        "session_lifetime": 2592000
      }
    }
    "#);
    let catalogue = service.get(&guest, "/api/permissions").await.body;
    let entry = json!({
        "permission": "FIREWALL:ANALYZE", "module": "FIREWALL", "action": "ANALYZE",
        "description": "Evaluate prompts",
    });
    assert!(catalogue["permissions"].as_array().unwrap().contains(&entry), "{catalogue}");
}
