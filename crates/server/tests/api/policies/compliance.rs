use serde_json::{Value, json};

use crate::support::TestService;

fn find<'v>(list: &'v Value, field: &str, name: &str) -> &'v Value {
    let items = list.as_array().unwrap().iter();
    items.into_iter().find(|item| item[field] == name).unwrap_or_else(|| panic!("no {name} in {list}"))
}

#[tokio::test]
async fn a_policy_tells_what_it_does_for_its_frameworks() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let written = json!({
        "policyName": "a",
        "guardrails": [{ "guardrail": "pii" }, { "guardrail": "model_denial", "enabled": false }],
        "compliance_region": "EU",
        "compliance_frameworks": ["GDPR", "OWASP LLM Top 10", "house rules"],
    });
    let path = format!("/api/policy/{}/compliance", service.policy(&token, &written).await);
    let answer = service.get(&token, &path).await.body;
    assert_eq!((&answer["compliance_region"], &answer["version"]), (&json!("EU"), &json!(1)));
    assert_eq!(answer["unknown_frameworks"], json!(["house rules"]));
    let gdpr = find(&answer["frameworks"], "framework", "gdpr");
    assert_eq!(find(&gdpr["served"], "control", "Article 5(1)(c)")["guardrails"], json!(["pii"]));
    let owasp = find(&answer["frameworks"], "framework", "owasp_llm_top_10");
    assert_eq!(find(&owasp["unserved"], "control", "LLM10")["guardrails"], json!(["model_denial"]));
}

#[tokio::test]
async fn every_template_can_be_posted_as_it_is() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let listed = service.get(&token, "/api/policy/templates").await.body;
    let templates = listed["templates"].as_array().unwrap();
    let ids: Vec<_> = templates.iter().map(|template| template["template_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["hipaa", "gdpr", "pci_dss", "childrens_services", "finance"]);
    for template in templates {
        assert!(template["description"].as_str().unwrap().len() > 50);
        let made = service.post_json(&token, "/api/policy/create", &template["policy"]).await;
        assert_eq!(made.status, 200, "{}", made.body);
        let stored = service.get(&token, &format!("/api/policy/{}", made.text("policyId"))).await.body;
        assert_eq!(stored["guardrails"], template["policy"]["guardrails"]);
    }
}
