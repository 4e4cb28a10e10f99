use insta::assert_snapshot;
use serde_json::json;

use crate::support::TestService;

#[tokio::test]
async fn a_policy_lists_the_controls_that_it_serves() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let written = json!({
        "policyName": "a",
        "guardrails": [{ "guardrail": "pii" }, { "guardrail": "model_denial", "enabled": false }],
        "compliance_region": "EU",
        "compliance_frameworks": ["GDPR", "house rules"],
    });
    let path = format!("/api/policy/{}/compliance", service.policy(&token, &written).await);
    assert_snapshot!(service.get(&token, &path).await.snapshot(), @r#"
    HTTP 200
    {
      "compliance_region": "EU",
      "frameworks": [
        {
          "framework": "gdpr",
          "name": "GDPR",
          "served": [
            {
              "control": "Article 5(1)(c)",
              "guardrails": [
                "pii"
              ],
              "title": "Data minimisation"
            },
            {
              "control": "Article 5(1)(f)",
              "guardrails": [
                "pii"
              ],
              "title": "Integrity and confidentiality"
            },
            {
              "control": "Article 9",
              "guardrails": [
                "pii"
              ],
              "title": "Processing of special categories of personal data"
            },
            {
              "control": "Article 25",
              "guardrails": [
                "pii"
              ],
              "title": "Data protection by design and by default"
            },
            {
              "control": "Article 32(1)(a)",
              "guardrails": [
                "pii"
              ],
              "title": "Security of processing: pseudonymisation and encryption"
            },
            {
              "control": "Article 44",
              "guardrails": [
                "pii"
              ],
              "title": "General principle for transfers to third countries"
            }
          ],
          "source": "Regulation (EU) 2016/679 (General Data Protection Regulation), articles",
          "unserved": [
            {
              "control": "Article 32(1)(b)",
              "guardrails": [
                "prompt_injection",
                "model_jailbreak",
                "model_denial"
              ],
              "title": "Security of processing: confidentiality, integrity, availability and resilience"
            }
          ]
        }
      ],
      "policyId": "[id]",
      "unknown_frameworks": [
        "house rules"
      ],
      "version": 1
    }
    "#);
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
