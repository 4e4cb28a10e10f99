//! Conditions of log filters with several values, or that exclude values.

use guardengine_store::{DecisionRecord, LogCondition, LogEntry, LogField, LogFilter};

use crate::fixtures::{at, log, on_both, org, page};

fn condition(field: LogField, values: &[&str], excludes: bool) -> LogCondition {
    LogCondition { field, values: values.iter().map(|one| (*one).to_owned()).collect(), excludes }
}

#[tokio::test]
async fn conditions_take_any_of_their_values_or_leave_them_out() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        let named = |second: i64, decision: &str, user: Option<&str>, guardrail: &str| LogEntry {
            decision: decision.to_owned(),
            username: user.map(str::to_owned),
            triggered_guardrails: format!(r#"[{{"name":"{guardrail}","confidence":0.9}}]"#),
            ..log(acme.id, second)
        };
        let rows = [
            named(0, "block", Some("ann"), "spam"),
            named(1, "mask", Some("ben"), "pii"),
            named(2, "allow", None, "spam_x"),
        ];
        let batch: Vec<_> = rows.iter().map(|row| DecisionRecord::of(row.clone(), "analyze")).collect();
        db.commit_decisions(&batch).await.unwrap();
        let cases: [(Vec<LogCondition>, &[usize]); 7] = [
            (vec![condition(LogField::Decision, &["block", "mask"], false)], &[1, 0]),
            (vec![condition(LogField::Decision, &["block", "mask"], true)], &[2]),
            (vec![condition(LogField::Username, &["ann"], true)], &[2, 1]),
            (vec![condition(LogField::Username, &["ann", "ben"], false)], &[1, 0]),
            (vec![condition(LogField::Guardrail, &["spam"], true)], &[2, 1]),
            (vec![condition(LogField::Guardrail, &["spam", "pii"], false)], &[1, 0]),
            (
                vec![
                    condition(LogField::Decision, &["allow"], true),
                    condition(LogField::Username, &["ben"], true),
                ],
                &[0],
            ),
        ];
        for (conditions, expected) in cases {
            let filter = LogFilter { conditions, ..LogFilter::default() };
            let found = db.logs(acme.id, &filter, page(9)).await.unwrap().rows;
            let expected: Vec<_> = expected.iter().map(|index| rows[*index].id).collect();
            assert_eq!(found.iter().map(|row| row.id).collect::<Vec<_>>(), expected, "{filter:?}");
            let until = LogFilter { to: Some(at(1)), ..filter };
            let found = db.logs(acme.id, &until, page(9)).await.unwrap().rows;
            assert!(found.iter().all(|row| row.id == rows[0].id), "the period still applies");
        }
    })
    .await;
}
