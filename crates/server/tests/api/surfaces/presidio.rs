//! Presidio's analyzer and anonymizer. The requests are those of litellm 1.110 and of presidio-anonymizer 2.2.366.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Guarded, key};
use crate::support::send;

async fn analyzed(guarded: &Guarded, body: Value) -> Value {
    let answer = guarded.post_at("/analyze", &body).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

#[tokio::test]
async fn entities_have_presidios_names_and_places_in_code_points() {
    let guarded = Guarded::start().await;
    let text = "Größe: jane@example.com, card 4111 1111 1111 1111";
    let found = analyzed(&guarded, json!({ "text": text, "language": "en" })).await;
    let shown: Vec<_> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|entity| {
            (
                entity["entity_type"].as_str().unwrap(),
                entity["start"].as_u64().unwrap(),
                entity["end"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(shown, [("EMAIL_ADDRESS", 7, 23), ("CREDIT_CARD", 30, 49)]);
    assert!(found[0]["analysis_explanation"].is_null() && found[0]["score"].as_f64().unwrap() > 0.5);
    let log = &guarded.logs("surface=presidio").await[0];
    assert_eq!((&log["endpoint"], &log["credits"]), (&json!("mask"), &json!(1)));
}

#[tokio::test]
async fn a_list_of_texts_has_a_list_of_lists() {
    let guarded = Guarded::start().await;
    let body = json!({ "text": ["plain", "jane@example.com", "joe@example.com"], "language": "en" });
    let found = analyzed(&guarded, body).await;
    let counts: Vec<_> =
        found.as_array().unwrap().iter().map(|list| list.as_array().unwrap().len()).collect();
    assert_eq!(counts, [0, 1, 1]);
    assert_eq!((&found[2][0]["start"], &found[2][0]["end"]), (&json!(0), &json!(15)));
    assert_eq!(guarded.service.charges(&guarded.token).await, 1);
}

#[tokio::test]
async fn entities_can_be_selected() {
    let guarded = Guarded::start().await;
    let body = |more: Value| {
        let mut body =
            json!({ "text": "jane@example.com, joe@example.com, 4111 1111 1111 1111", "language": "en" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let count = async |more: Value| analyzed(&guarded, body(more)).await.as_array().unwrap().len();
    assert_eq!(count(json!({})).await, 3);
    assert_eq!(count(json!({ "entities": ["CREDIT_CARD", "NRP"] })).await, 1);
    assert_eq!(count(json!({ "allow_list": ["joe@example.com"] })).await, 2);
    assert_eq!(count(json!({ "score_threshold": 1.0, "entities": ["EMAIL_ADDRESS"] })).await, 0);
    let own = json!([{ "name": "zip", "supported_entity": "ZIP", "patterns": [] }]);
    let refused = guarded.post_at("/analyze", &body(json!({ "ad_hoc_recognizers": own }))).await;
    let error = "ad_hoc_recognizers: not supported: add the pattern to the policy as custom_pii";
    assert_eq!((refused.status, refused.body), (400, json!({ "error": error })));
}

#[tokio::test]
async fn errors_for_missing_fields_are_presidios() {
    let guarded = Guarded::start().await;
    for (body, status, error) in [
        (json!({ "language": "en" }), 500, "No text provided"),
        (json!({ "text": "", "language": "en" }), 500, "No text provided"),
        (json!({ "text": "a" }), 500, "No language provided"),
        (
            json!({ "text": 7, "language": "en" }),
            400,
            "text: must be a string, or an array of 1 to 1000 strings",
        ),
    ] {
        let refused = guarded.post_at("/analyze", &body).await;
        assert_eq!((refused.status, refused.body), (status, json!({ "error": error })), "{body}");
    }
}

#[tokio::test]
async fn texts_are_anonymized_by_their_entities() {
    let guarded = Guarded::start().await;
    let entity = |start, end, entity_type| json!({ "start": start, "end": end, "score": 0.8, "entity_type": entity_type });
    let body = json!({
        "text": "é hello, my name is Jane Doe. My number is: 034453334",
        "analyzer_results": [entity(20, 24, "NAME"), entity(20, 28, "PERSON"), entity(44, 53, "PHONE_NUMBER")],
        "anonymizers": { "PHONE_NUMBER": { "type": "mask", "masking_char": "*", "chars_to_mask": 4, "from_end": true } },
    });
    let answer = guarded.post_at("/anonymize", &body).await;
    let items = json!([
        { "start": 44, "end": 53, "entity_type": "PHONE_NUMBER", "text": "03445****", "operator": "mask" },
        { "start": 20, "end": 28, "entity_type": "PERSON", "text": "<PERSON>", "operator": "replace" },
    ]);
    let expected = json!({ "text": "é hello, my name is <PERSON>. My number is: 03445****", "items": items });
    assert_eq!(answer.body, expected);
    assert_eq!(guarded.service.charges(&guarded.token).await, 0);
    let wrong = json!({ "text": "a", "analyzer_results": [entity(0, 9, "NAME")] });
    let refused = guarded.post_at("/anonymize", &wrong).await;
    let error = "analyzer_results.0: must have a place in the text, which has 1 characters";
    assert_eq!((refused.status, refused.body), (422, json!({ "error": error })));
    let unread = send(guarded.service.post("/anonymize").bearer_auth(&guarded.key).body("{")).await;
    assert_eq!(unread.status, 400);
}

#[tokio::test]
async fn what_was_encrypted_can_be_restored() {
    let guarded = Guarded::start().await;
    let key = "WmZq4t7w!z%C&F)J";
    let sealed = json!({ "text": "My name is Chloë!", "analyzer_results":
        [{ "start": 11, "end": 16, "score": 0.8, "entity_type": "PERSON" }],
        "anonymizers": { "DEFAULT": { "type": "encrypt", "key": key } } });
    let sealed = guarded.post_at("/anonymize", &sealed).await.body;
    assert!(!sealed["text"].as_str().unwrap().contains("Chlo"));
    let body = |key: &str| {
        json!({ "text": sealed["text"], "anonymizer_results": sealed["items"],
        "deanonymizers": { "PERSON": { "type": "decrypt", "key": key } } })
    };
    let opened = guarded.post_at("/deanonymize", &body(key)).await.body;
    assert_eq!((&opened["text"], &opened["items"][0]["end"]), (&json!("My name is Chloë!"), &json!(16)));
    let refused = guarded.post_at("/deanonymize", &body("0123456789abcdef")).await;
    let error = "anonymizer_results.0: was not encrypted with this key";
    assert_eq!((refused.status, refused.body), (422, json!({ "error": error })));
}

#[tokio::test]
async fn clients_without_a_credential_have_the_key_in_the_path() {
    let guarded = Guarded::with(&[("surfaces.key_in_path", "true")]).await;
    let bound = format!("&projectId={}&permissions=FIREWALL:MASK", guarded.project);
    let key = key(&guarded.service, &guarded.token, &bound).await;
    let list =
        send(guarded.service.request(Method::GET, &format!("/k/{key}/supportedentities?language=en"))).await;
    let names = list.body.as_array().unwrap();
    assert!(
        ["PERSON", "EMAIL_ADDRESS", "IBAN_CODE", "US_SSN"].iter().all(|name| names.contains(&json!(name)))
    );
    let body = json!({ "text": "jane@example.com", "language": "en" });
    let found = send(guarded.service.post(&format!("/k/{key}/analyze")).json(&body)).await;
    assert_eq!(found.body[0]["entity_type"], "EMAIL_ADDRESS");
    for (path, name) in [("anonymizers", "replace"), ("deanonymizers", "decrypt"), ("recognizers", "email")] {
        let list = send(guarded.service.request(Method::GET, &format!("/k/{key}/{path}"))).await;
        assert!(list.body.as_array().unwrap().contains(&json!(name)), "{path}: {}", list.body);
    }
}
