use std::{collections::BTreeSet, time::Duration};

use futures::future::join_all;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::TestService;

#[tokio::test]
async fn the_ledger_pages_from_the_newest_entry_to_the_first() {
    let service = TestService::with(&[("credits.initial", "10")]).await;
    let owner = service.owner().await;
    let mut logs = Vec::new();
    for _ in 0..3 {
        let answer = service
            .post_json(&owner, "/v2/guardengine/svc_firewall_analyze", &json!({ "prompt": "Good morning" }))
            .await;
        logs.push(answer.body["log_id"].clone());
    }
    let first = service.get(&owner, "/api/credits?limit=2").await;
    assert_snapshot!(first.snapshot(), @r#"
    HTTP 200
    {
      "balance": 7,
      "cost": {
        "analyze": 1,
        "audio": 5,
        "autonomous": 2,
        "image": 2,
        "mask": 1,
        "validate": 1
      },
      "ledger": [
        {
          "amount": -1,
          "balance_after": 7,
          "created_at": "[time]",
          "entries": 1,
          "entry_id": "[id]",
          "log_id": "[id]",
          "operation": "analyze"
        },
        {
          "amount": -1,
          "balance_after": 8,
          "created_at": "[time]",
          "entries": 1,
          "entry_id": "[id]",
          "log_id": "[id]",
          "operation": "analyze"
        }
      ],
      "next_cursor": "3",
      "unit": 10000
    }
    "#);
    let first = first.body;
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = service.get(&owner, &format!("/api/credits?limit=2&cursor={cursor}")).await.body;
    assert_eq!(second["next_cursor"], Value::Null);
    let entries = [first["ledger"].as_array().unwrap().clone(), second["ledger"].as_array().unwrap().clone()];
    let reported =
        |entry: &Value| json!([entry["operation"], entry["amount"], entry["balance_after"], entry["log_id"]]);
    let reported: Vec<_> = entries.concat().iter().map(reported).collect();
    let expected = [
        json!(["analyze", -1, 7, logs[2]]),
        json!(["analyze", -1, 8, logs[1]]),
        json!(["analyze", -1, 9, logs[0]]),
        json!(["initial", 10, 10, null]),
    ];
    assert_eq!(reported, expected);
}

#[tokio::test]
async fn the_ledger_of_a_period_has_the_charges_made_in_it() {
    let service = TestService::with(&[("credits.initial", "10")]).await;
    let owner = service.owner().await;
    let begin = service.clock.now();
    let minute = Duration::from_mins(1);
    for _ in 0..4 {
        service.clock.advance(minute);
        let prompt = json!({ "prompt": "Good morning" });
        service.post_json(&owner, "/v2/guardengine/svc_firewall_analyze", &prompt).await;
    }
    let balances = async |query: &str| {
        let (mut balances, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = service.get(&owner, &format!("/api/credits?limit=2{query}{cursor}")).await.body;
            assert_eq!(page["balance"], 6);
            let entries = page["ledger"].as_array().unwrap().iter();
            balances.extend(entries.map(|entry| entry["balance_after"].as_i64().unwrap()));
            let Some(next) = page["next_cursor"].as_str() else { return balances };
            cursor = format!("&cursor={next}");
        }
    };
    let (second, fourth) = (begin + 2 * minute, begin + 4 * minute);
    assert_eq!(balances("").await, [6, 7, 8, 9, 10]);
    assert_eq!(balances(&format!("&from={second}")).await, [6, 7, 8]);
    assert_eq!(balances(&format!("&to={fourth}")).await, [7, 8, 9, 10]);
    assert_eq!(balances(&format!("&from={second}&to={fourth}")).await, [7, 8]);
    let reversed = service.get(&owner, &format!("/api/credits?from={fourth}&to={second}")).await;
    reversed.refuses(422, "to: must be after from");
}

#[tokio::test]
async fn a_bad_cursor_is_refused_and_strangers_have_their_own_ledger() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let refused = service.get(&owner, "/api/credits?cursor=first").await;
    refused.refuses(422, "cursor: must be the next_cursor of an earlier answer");
    let theirs = service.get(&service.stranger().await, "/api/credits").await.body;
    assert_eq!((&theirs["balance"], theirs["ledger"].as_array().unwrap().len()), (&json!(10), 1));
}

#[tokio::test]
async fn a_balance_of_ten_pays_for_ten_of_thirty_two_callers() {
    let service = TestService::with(&[("credits.initial", "10")]).await;
    let owner = service.owner().await;
    let prompt = json!({ "prompt": "Good morning" });
    let call = || service.post_json(&owner, "/v2/guardengine/svc_firewall_analyze", &prompt);
    let answers = join_all((0..32).map(|_| call())).await;
    let (paid, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!((paid.len(), refused.len()), (10, 22));
    let reported = "insufficient credits: analyze needs 1, balance is 0";
    assert!(refused.iter().all(|answer| answer.status == 403));
    assert!(refused.iter().any(|answer| answer.body["detail"] == reported));
    let credits = service.get(&owner, "/api/credits").await.body;
    assert_eq!(credits["balance"], 0);
    let spent = credits["ledger"].as_array().unwrap().iter().filter(|entry| entry["amount"] == -1);
    let in_ledger: BTreeSet<_> = spent.map(|entry| entry["log_id"].as_str().unwrap().to_owned()).collect();
    let answered: BTreeSet<_> = paid.iter().map(|answer| answer.text("log_id")).collect();
    assert_eq!(in_ledger, answered);
    let org = service.org_id().await;
    for row in &answered {
        assert!(service.db.log(org, row.parse().unwrap()).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn a_call_costs_its_price_for_each_started_unit_of_text() {
    let service = TestService::with(&[("credits.unit", "10"), ("credits.initial", "100")]).await;
    let owner = service.owner().await;
    let history = json!(["abcde", { "role": "assistant", "content": "12345" }, { "role": "system", "content": "12345" }]);
    let analyze = "/v2/guardengine/svc_firewall_analyze";
    let calls = [
        (analyze, json!({ "prompt": "äöü4567890" }), 1),
        (analyze, json!({ "prompt": "12345678901" }), 2),
        (analyze, json!({ "prompt": "12345", "documents": ["12345", "1"] }), 2),
        (analyze, json!({ "prompt": "1", "conversation_history": history }), 2),
        // The turn of the user is known now, and not evaluated again.
        (analyze, json!({ "prompt": "1", "conversation_history": history }), 1),
        ("/v2/guardengine/svc_firewall_validate", json!({ "response": "x".repeat(21) }), 3),
        ("/v2/pii/mask", json!({ "text": "x".repeat(30) }), 3),
        ("/api/autonomous/analyze", json!({ "prompt": "12345678901" }), 4),
    ];
    let mut balance = 100;
    for (path, body, price) in calls {
        assert_eq!(service.post_json(&owner, path, &body).await.status, 200, "{body}");
        balance -= price;
        assert_eq!(service.get(&owner, "/api/credits").await.body["balance"], balance, "{body}");
    }
    let long = json!({ "prompt": "x".repeat(1_000) });
    let refused = format!("insufficient credits: analyze needs 100, balance is {balance}");
    service.post_json(&owner, analyze, &long).await.refuses(403, &refused);
}

#[tokio::test]
async fn old_ledger_entries_become_daily_sums_that_page_like_others() {
    let settings = [("credits.initial", "10"), ("credits.retention", "1d"), ("session.idle_timeout", "9d")];
    let service =
        TestService::with(&[settings.as_slice(), &[("session.refresh_token_ttl", "9d")]].concat()).await;
    let prompt = json!({ "prompt": "Good morning" });
    for _ in 0..2 {
        for _ in 0..3 {
            let owner = service.owner().await;
            service.post_json(&owner, "/v2/guardengine/svc_firewall_analyze", &prompt).await;
        }
        service.clock.advance(Duration::from_hours(50));
        service.run_maintenance().await;
    }
    let owner = service.owner().await;
    service.post_json(&owner, "/v2/guardengine/svc_firewall_analyze", &prompt).await;
    service.run_maintenance().await;
    let newest = service.get(&owner, "/api/credits?limit=2").await.body;
    let cursor = newest["next_cursor"].as_str().unwrap();
    let oldest = service.get(&owner, &format!("/api/credits?limit=2&cursor={cursor}")).await.body;
    assert_eq!((&newest["balance"], &oldest["next_cursor"]), (&json!(3), &Value::Null));
    let entries =
        [newest["ledger"].as_array().unwrap().clone(), oldest["ledger"].as_array().unwrap().clone()];
    let shown = |entry: &Value| {
        json!([entry["operation"], entry["amount"], entry["balance_after"], entry["entries"]])
    };
    let shown: Vec<_> = entries.concat().iter().map(shown).collect();
    let expected = [
        json!(["analyze", -1, 3, 1]),
        json!(["analyze", -3, 4, 3]),
        json!(["analyze", -3, 7, 3]),
        json!(["initial", 10, 10, 1]),
    ];
    assert_eq!(shown, expected);
}

async fn usage(service: &TestService, token: &str, query: &str) -> Value {
    let answer = service.get(token, &format!("/api/credits/usage{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

fn credits_by_hour(usage: &Value) -> Vec<i64> {
    usage["hours"].as_array().unwrap().iter().map(|hour| hour["credits"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn usage_adds_up_by_hour_to_the_charges_of_the_ledger() {
    let service = TestService::with(&[("credits.initial", "1000"), ("credits.unit", "10")]).await;
    let analyze = "/v2/guardengine/svc_firewall_analyze";
    let begin = service.clock.now();
    let mut spent = 0;
    for (call, length) in [5, 25, 15, 5, 35].into_iter().enumerate() {
        let owner = service.owner().await;
        let body = json!({ "prompt": "x".repeat(length) });
        assert_eq!(service.post_json(&owner, analyze, &body).await.status, 200);
        service.post_json(&owner, "/v2/pii/mask", &json!({ "text": "a" })).await;
        spent += length.div_ceil(10) as i64 + 1;
        if call % 2 == 1 {
            service.clock.advance(Duration::from_hours(2));
        }
    }
    let org = service.org_id().await;
    service.change(async |tx| tx.set_credits(org, 5_000, 0, service.clock.now()).await).await;
    for _ in 0..2 {
        let owner = service.owner().await;
        let used = usage(&service, &owner, "").await;
        assert_eq!(credits_by_hour(&used), [6, 5, 5], "{used}");
        assert_eq!((&used["balance"], credits_by_hour(&used).iter().sum::<i64>()), (&json!(5_000), spent));
        let newest = json!({ "charges": 10, "credits": spent, "since": begin });
        assert_eq!(used["newest"], newest);
        let later = format!("?from={}", begin + Duration::from_hours(1));
        assert_eq!(credits_by_hour(&usage(&service, &owner, &later).await), [5, 5]);
        service.run_maintenance().await;
    }
    let theirs = usage(&service, &service.stranger().await, "").await;
    assert_eq!(theirs["newest"], json!({ "charges": 0, "credits": 0, "since": null }));
    assert_eq!(credits_by_hour(&theirs), [0; 0]);
}

#[tokio::test]
async fn usage_names_the_bad_end_of_a_period_and_needs_the_permission() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let now = service.clock.now();
    let before = now - Duration::from_hours(24 * 401);
    for (query, detail) in [
        (format!("?from={now}&to={now}"), "to: must be after from"),
        (format!("?from={before}&to={now}"), "to: must be at most 400 days after from"),
        ("?from=x".to_owned(), "from: must be an RFC 3339 time, such as 2026-01-02T03:04:05Z"),
    ] {
        service.get(&owner, &format!("/api/credits/usage{query}")).await.refuses(422, detail);
    }
    let role = json!({ "name": "author", "permissions": ["FIREWALL_POLICIES:VIEW_POLICY"] });
    service.post_json(&owner, "/api/roles", &role).await;
    let refused = service.get(&service.member("ann", "author").await, "/api/credits/usage").await;
    refused.refuses(403, "missing required permission: CREDITS:VIEW_CREDIT");
}
