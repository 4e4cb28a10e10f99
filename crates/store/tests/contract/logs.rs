//! Log entries: storage, search, filters, feedback.

use guardengine_store::{Db, DecisionRecord, LogEntry, LogEntryDetails, LogFilter, LogScope, Org, Page};
use uuid::Uuid;

use crate::fixtures::{ANN, BOB, at, change, log, on_both, org, page};

async fn insert(db: &Db, logs: &[LogEntry]) {
    let batch: Vec<_> = logs.iter().map(|log| DecisionRecord::of(log.clone(), "analyze")).collect();
    db.commit_decisions(&batch).await.unwrap();
}

fn full(org: &Org) -> LogEntry {
    LogEntry {
        project_id: Some(Uuid::from_u128(7)),
        project_name: Some("Chat".into()),
        policy_id: Some(Uuid::from_u128(8)),
        policy_version: Some(3),
        decision: "block".into(),
        shadow_decision: Some("allow".into()),
        triggered_guardrails: r#"[{"name":"pii","confidence":0.9},{"name":"toxicity","confidence":0.8}]"#
            .into(),
        confidence: 0.9,
        risk_level: "critical".into(),
        reason: Some("PII found".into()),
        source_app: Some("shop".into()),
        context: Some(r#"{"a":"\u0000"}"#.into()),
        device_id: Some("d".into()),
        username: Some("end user".into()),
        conversation_id: Some("talk 100%".into()),
        text: Some("Grüße an ALLE".into()),
        lang_code: Some("de".into()),
        outcome: "blocked".into(),
        feedback: Some("false_positive".into()),
        surface: "litellm".into(),
        foreign_id: Some("call-1".into()),
        prompt_tokens: Some(12),
        completion_tokens: Some(i64::MAX),
        upstream_time_ms: Some(0),
        ..log(org.id, 50)
    }
}

#[tokio::test]
async fn every_field_of_a_log_entry_is_stored() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        let row = full(&acme);
        insert(&db, std::slice::from_ref(&row)).await;
        assert_eq!(db.log(acme.id, row.id).await.unwrap(), Some(row.clone()));
        assert_eq!(db.log(Uuid::nil(), row.id).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn log_entries_are_paged_newest_first_without_loss() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 100).await, org(&db, "Other", 100).await);
        let rows: Vec<_> = (0..10).map(|second| log(acme.id, second)).collect();
        insert(&db, &rows).await;
        insert(&db, &[log(other.id, 5)]).await;
        let (mut seen, mut before) = (Vec::new(), None);
        loop {
            let paged = db.logs(acme.id, &LogFilter::default(), Page { limit: 4, before }).await.unwrap();
            seen.extend(paged.rows.into_iter().map(|row| row.id));
            before = paged.next;
            if before.is_none() {
                break;
            }
        }
        assert_eq!(seen, rows.iter().rev().map(|row| row.id).collect::<Vec<_>>());
    })
    .await;
}

fn scope(projects: &[u128], user_id: Uuid) -> LogScope {
    LogScope { projects: projects.iter().copied().map(Uuid::from_u128).collect(), user_id: Some(user_id) }
}

/// Returns pairs of filters: the first matches the complete log entry, the second does not.
fn filters() -> Vec<(LogFilter, LogFilter)> {
    let text = |value: &str| Some(value.to_owned());
    let none = LogFilter::default;
    let id = |number| Some(Uuid::from_u128(number));
    vec![
        (LogFilter { project_id: id(7), ..none() }, LogFilter { project_id: id(1), ..none() }),
        (
            LogFilter { scope: Some(scope(&[7, 9], BOB)), ..none() },
            LogFilter { scope: Some(scope(&[], ANN)), ..none() },
        ),
        (LogFilter { decision: text("block"), ..none() }, LogFilter { decision: text("mask"), ..none() }),
        (LogFilter { outcome: text("blocked"), ..none() }, LogFilter { outcome: text("masked"), ..none() }),
        (LogFilter { has_feedback: true, ..none() }, LogFilter { outcome: text("would_block"), ..none() }),
        (
            LogFilter { feedback: text("false_positive"), ..none() },
            LogFilter { feedback: text("missed_attack"), ..none() },
        ),
        (
            LogFilter { has_triggered: Some(true), ..none() },
            LogFilter { has_triggered: Some(false), ..none() },
        ),
        (
            LogFilter { guardrail: text("toxicity"), ..none() },
            LogFilter { guardrail: text("tox%"), ..none() },
        ),
        (
            LogFilter { risk_level: text("critical"), ..none() },
            LogFilter { risk_level: text("high"), ..none() },
        ),
        (
            LogFilter { source_app: text("shop"), ..none() },
            LogFilter { source_app: text("sh\0op"), ..none() },
        ),
        (LogFilter { username: text("end user"), ..none() }, LogFilter { username: text("end"), ..none() }),
        (LogFilter { principal: text("ann"), ..none() }, LogFilter { principal: text("an"), ..none() }),
        (
            LogFilter { conversation_id: text("talk 100%"), ..none() },
            LogFilter { conversation_id: text("talk 100"), ..none() },
        ),
        (
            LogFilter { containing: text("an alle"), ..none() },
            LogFilter { containing: text("a_ alle"), ..none() },
        ),
        (
            LogFilter { containing: text("pii F"), ..none() },
            LogFilter { containing: text("pii%found"), ..none() },
        ),
        (
            LogFilter { containing: text("100%"), ..none() },
            LogFilter { containing: text(r"100\%"), ..none() },
        ),
        (LogFilter { from: Some(at(50)), ..none() }, LogFilter { from: Some(at(51)), ..none() }),
        (LogFilter { to: Some(at(51)), ..none() }, LogFilter { to: Some(at(50)), ..none() }),
    ]
}

#[tokio::test]
async fn each_filter_returns_only_its_entries() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        let row = full(&acme);
        insert(&db, std::slice::from_ref(&row)).await;
        for (passing, dropping) in filters() {
            let found = db.logs(acme.id, &passing, page(5)).await.unwrap().rows;
            assert_eq!(found, std::slice::from_ref(&row), "{passing:?}");
            assert_eq!(db.logs(acme.id, &dropping, page(5)).await.unwrap().rows, [], "{dropping:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn log_entries_are_numbered_in_order_of_commit() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        let (late, early) = (log(acme.id, 9), log(acme.id, 1));
        insert(&db, std::slice::from_ref(&late)).await;
        insert(&db, std::slice::from_ref(&early)).await;
        assert_eq!(db.last_log_sequence(acme.id).await.unwrap(), 2);
        let (rows, last) = db.logs_after(acme.id, &LogFilter::default(), 0, 9).await.unwrap();
        let numbers: Vec<_> = rows.iter().map(|row| (row.sequence, row.log.id)).collect();
        assert_eq!((numbers, last), (vec![(1, late.id), (2, early.id)], 2));
    })
    .await;
}

#[tokio::test]
async fn the_tail_applies_the_same_filters() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        insert(&db, &[full(&acme)]).await;
        for (passing, dropping) in filters() {
            assert_eq!(db.logs_after(acme.id, &passing, 0, 9).await.unwrap().0.len(), 1, "{passing:?}");
            assert_eq!(db.logs_after(acme.id, &dropping, 0, 9).await.unwrap().0.len(), 0, "{dropping:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn entries_without_a_project_are_visible_to_their_user_alone() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        // The same name, of somebody else and of nobody certain.
        let of = |second, user_id| LogEntry { user_id, ..log(acme.id, second) };
        let rows = [of(1, Some(ANN)), of(2, Some(BOB)), of(3, None)];
        insert(&db, &rows).await;
        let filter = LogFilter { scope: Some(scope(&[7], ANN)), ..LogFilter::default() };
        let rows = db.logs(acme.id, &filter, page(5)).await.unwrap().rows;
        assert_eq!(rows.iter().map(|row| row.user_id).collect::<Vec<_>>(), [Some(ANN)]);
    })
    .await;
}

#[tokio::test]
async fn a_search_without_an_index_continues_where_it_stopped() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100_000).await;
        let needle = LogEntry { text: Some("the needle".into()), ..log(acme.id, -1) };
        insert(&db, std::slice::from_ref(&needle)).await;
        insert(&db, &(0..5_001).map(|second| log(acme.id, second)).collect::<Vec<_>>()).await;
        let filter = LogFilter { containing: Some("needle".into()), ..LogFilter::default() };
        let first = db.logs(acme.id, &filter, page(5)).await.unwrap();
        assert!(first.rows.is_empty() && first.next.is_some());
        let rest = db.logs(acme.id, &filter, Page { limit: 5, before: first.next }).await.unwrap();
        assert_eq!((rest.rows, rest.next), (vec![needle], None));
    })
    .await;
}

#[tokio::test]
async fn old_log_entries_are_deleted_once_they_are_counted() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        let rows = [log(acme.id, 1), log(acme.id, 2), log(acme.id, 3)];
        insert(&db, &rows).await;
        assert_eq!(db.delete_logs_before(acme.id, at(3)).await.unwrap(), 0);
        assert!(db.roll_up(acme.id, (0, 1), &[], &[]).await.unwrap());
        assert_eq!(db.delete_logs_before(acme.id, at(3)).await.unwrap(), 1);
        assert_eq!(db.log(acme.id, rows[0].id).await.unwrap(), None);
        assert!(db.log(acme.id, rows[1].id).await.unwrap().is_some());
    })
    .await;
}

#[tokio::test]
async fn details_are_stored_and_visible_in_their_organization_only() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        let row = log(acme.id, 1);
        let detail = LogEntryDetails {
            confidences: r#"[["pii",0.1,0.5]]"#.into(),
            timing: r#"[["scores",1.5]]"#.into(),
            sealed_text: Some(vec![0, 1, 255]),
            feedback_note: None,
        };
        let decision =
            DecisionRecord { detail: detail.clone(), ..DecisionRecord::of(row.clone(), "analyze") };
        db.commit_decisions(&[decision]).await.unwrap();
        assert_eq!(db.log_details(acme.id, row.id).await.unwrap(), Some(detail.clone()));
        assert_eq!(db.log_details(Uuid::nil(), row.id).await.unwrap(), None);
        let summaries = db.log_summaries(acme.id, 0, 5).await.unwrap();
        assert_eq!(summaries[0].confidences, detail.confidences);
    })
    .await;
}

#[tokio::test]
async fn feedback_is_set_and_removed() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100).await;
        let row = log(acme.id, 1);
        insert(&db, std::slice::from_ref(&row)).await;
        assert!(
            change!(db.set_log_feedback(acme.id, row.id, Some("missed_attack"), Some("a\0b"))).await.unwrap()
        );
        let marked = db.log(acme.id, row.id).await.unwrap().unwrap();
        let note = db.log_details(acme.id, row.id).await.unwrap().unwrap().feedback_note;
        assert_eq!(
            (marked.feedback.as_deref(), note.as_deref()),
            (Some("missed_attack"), Some("a\u{2400}b"))
        );
        assert!(change!(db.set_log_feedback(acme.id, row.id, None, None)).await.unwrap());
        assert_eq!(db.log(acme.id, row.id).await.unwrap(), Some(row.clone()));
        assert!(
            !change!(db.set_log_feedback(Uuid::nil(), row.id, Some("missed_attack"), None)).await.unwrap()
        );
    })
    .await;
}

#[tokio::test]
async fn facet_values_are_those_of_the_newest_matching_entries() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 100_000).await;
        insert(&db, &[full(&acme)]).await;
        for (passing, dropping) in filters() {
            let (rows, are_all) = db.log_facet_values(acme.id, &passing).await.unwrap();
            assert_eq!((rows.len(), are_all), (1, true), "{passing:?}");
            assert_eq!(rows[0].project_id, Some(Uuid::from_u128(7)));
            assert_eq!(
                db.log_facet_values(acme.id, &dropping).await.unwrap(),
                (vec![], true),
                "{dropping:?}"
            );
        }
        let many: Vec<_> =
            (100..100 + Db::MAX_FACET_ENTRIES as i64).map(|second| log(acme.id, second)).collect();
        insert(&db, &many).await;
        let (rows, are_all) = db.log_facet_values(acme.id, &LogFilter::default()).await.unwrap();
        assert_eq!((rows.len(), are_all), (Db::MAX_FACET_ENTRIES, false));
        assert_eq!(rows[0].id, many.last().unwrap().id);
    })
    .await;
}
