use insta::assert_snapshot;
use serde_json::json;

use crate::support::TestService;

#[tokio::test]
async fn every_member_reads_the_guardrails_with_their_operating_points() {
    let service = TestService::start().await;
    let viewer = service.member("eye", "viewer").await;
    let answer = service.get(&viewer, "/api/guardrails").await;
    let guardrails = answer.body["guardrails"].as_array().unwrap();
    assert_eq!((answer.status, guardrails.len()), (200, 19));
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
    let types = answer.body["pii_types"].as_array().unwrap();
    let german = json!({
        "type": "de_tax_id", "description": "German tax identification numbers", "evidence": "check, context",
    });
    assert!(types.len() == 45 && types.contains(&german), "{types:?}");
    let frameworks = answer.body["frameworks"].as_array().unwrap();
    let owasp = frameworks.iter().find(|one| one["framework"] == "owasp_llm_top_10").unwrap();
    assert!(owasp["aliases"].as_array().unwrap().contains(&json!("OWASP LLM Top 10")));
    assert_snapshot!(format!("{:#}", named("custom_regex")), @r#"
    {
      "applies_to": [
        "prompt",
        "history",
        "documents",
        "response",
        "media"
      ],
      "controls": [
        {
          "control": "Article 25",
          "framework": "gdpr",
          "title": "Data protection by design and by default"
        },
        {
          "control": "164.514(b)",
          "framework": "hipaa",
          "title": "Requirements for de-identification"
        },
        {
          "control": "164.530(c)(1)",
          "framework": "hipaa",
          "title": "Safeguards"
        },
        {
          "control": "3.3.1",
          "framework": "pci_dss",
          "title": "Sensitive authentication data is not stored after authorization"
        },
        {
          "control": "CC6.7",
          "framework": "soc2",
          "title": "Transmission, movement and removal of information is restricted"
        },
        {
          "control": "C1.1",
          "framework": "soc2",
          "title": "Confidential information is identified and maintained"
        },
        {
          "control": "A.9.4",
          "framework": "iso_42001",
          "title": "Intended use of the AI system"
        },
        {
          "control": "Article 26(5)",
          "framework": "eu_ai_act",
          "title": "Deployers monitor the operation of the system"
        },
        {
          "control": "MEASURE 2.4",
          "framework": "nist_ai_rmf",
          "title": "Functionality and behaviour are monitored in production"
        },
        {
          "control": "LLM02",
          "framework": "owasp_llm_top_10",
          "title": "Sensitive Information Disclosure"
        },
        {
          "control": "LLM05",
          "framework": "owasp_llm_top_10",
          "title": "Improper Output Handling"
        },
        {
          "control": "AML.T0057",
          "framework": "mitre_atlas",
          "title": "LLM Data Leakage"
        }
      ],
      "default_threshold": 0.5,
      "description": "Patterns that the organization writes itself.",
      "directions": [
        "input",
        "output"
      ],
      "false_positive_costs": [],
      "group": "custom_controls",
      "guardrail": "custom_regex",
      "operating_points": [],
      "settings": [
        "description",
        "threshold",
        "enabled",
        "action",
        "applies_to",
        "ticket",
        "patterns"
      ]
    }
    "#);
}
