use serde_json::json;

use crate::support::TestService;

#[tokio::test]
async fn every_member_sees_what_each_guardrail_is_and_how_well_it_detects() {
    let service = TestService::start().await;
    let viewer = service.member("eye", "viewer").await;
    let answer = service.get(&viewer, "/api/guardrails").await;
    let guardrails = answer.body["guardrails"].as_array().unwrap();
    assert_eq!((answer.status, guardrails.len()), (200, 17));
    let named = |name: &str| guardrails.iter().find(|one| one["guardrail"] == name).unwrap();
    let injection = named("prompt_injection");
    assert_eq!(
        (&injection["group"], &injection["default_threshold"]),
        (&json!("prompt_security"), &json!(0.7))
    );
    assert_eq!(injection["directions"], json!(["input", "output"]));
    let points = injection["operating_points"].as_array().unwrap();
    assert_eq!((points.len(), &points[6]["threshold"]), (9, &json!(0.7)));
    assert!(points[6]["recall"].as_f64().unwrap() > 0.0 && points[6]["false_positive_rate"].is_f64());
    let owasp = json!({ "framework": "owasp_llm_top_10", "control": "LLM01", "title": "Prompt Injection" });
    assert!(injection["controls"].as_array().unwrap().contains(&owasp));
    let settings = named("pii")["settings"].as_array().unwrap();
    assert!(settings.contains(&json!("pii_kinds")) && settings.contains(&json!("action")));
    let costs = injection["false_positive_costs"].as_array().unwrap();
    assert_eq!((costs.len(), &costs[3]["share"]), (8, &json!(0.005)));
    assert_eq!(named("custom_regex")["operating_points"], json!([]));
}
