//! Counts and uncounted log entries of a period.

use std::time::Duration;

use guardengine_store::{
    ALL_PROJECTS, Db, DecisionRecord, HourlyCount, LogEntry, LogSummary, MetricCounts, MetricQuery, Period,
    Timestamp, UnevaluatedCount,
};
use uuid::Uuid;

use crate::fixtures::{at, log, on_both, org};

const HOUR: i64 = 3600;
const WHOLE_HOURS: &[&str] = &["outcome"];

async fn insert(db: &Db, org_id: Uuid, seconds: &[i64]) {
    let decision = |second: &i64| {
        DecisionRecord::of(LogEntry { outcome: "allowed".into(), ..log(org_id, *second) }, "analyze")
    };
    db.commit_decisions(&seconds.iter().map(decision).collect::<Vec<_>>()).await.unwrap();
}

fn counts(rows: &[LogSummary]) -> Vec<HourlyCount> {
    let mut counts: Vec<HourlyCount> = Vec::new();
    for row in rows {
        for (dimension, hour) in
            [("outcome", row.created_at.hour()), ("outcome_by_day", row.created_at.day())]
        {
            match counts.iter_mut().find(|one| one.hour == hour && one.dimension == dimension) {
                Some(one) => one.count += 1,
                None => counts.push(HourlyCount {
                    dimension: dimension.into(),
                    hour,
                    project_id: ALL_PROJECTS,
                    name: row.outcome.clone(),
                    count: 1,
                }),
            }
        }
    }
    counts
}

async fn roll_up(db: &Db, org_id: Uuid, limit: u16) -> bool {
    let from = db.orgs_with_pending_rollups().await.unwrap()[0].1;
    let rows = db.log_summaries(org_id, from, limit).await.unwrap();
    db.roll_up(org_id, (from, rows.last().unwrap().sequence), &counts(&rows), &[]).await.unwrap()
}

fn sum(found: &MetricCounts) -> i64 {
    found.rows.len() as i64 + found.counts.iter().map(|one| one.count).sum::<i64>()
}

async fn metrics(db: &Db, org_id: Uuid, from: Timestamp, to: Timestamp) -> MetricCounts {
    let query = |by_hour, over_period| MetricQuery {
        period: Period { from, to },
        projects: None,
        by_hour,
        over_period,
    };
    let by_hour = db.metric_counts(org_id, &query(WHOLE_HOURS, &[])).await.unwrap();
    let over_period = db.metric_counts(org_id, &query(&[], WHOLE_HOURS)).await.unwrap();
    assert_eq!(sum(&by_hour), sum(&over_period));
    by_hour
}

#[tokio::test]
async fn every_log_entry_of_a_period_is_counted_once_at_any_stage_of_the_rollup() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1000).await;
        let seconds: Vec<i64> = (0..400).map(|step| step * 700).collect();
        insert(&db, acme.id, &seconds).await;
        for (from, to) in [
            (0, 20_000),
            (0, 400),
            (1234, 15_678),
            (2 * HOUR, 3 * HOUR),
            (1_000, 270_000),
            (279_000, 300_000),
        ] {
            let expected = seconds.iter().filter(|second| (from..to).contains(*second)).count() as i64;
            assert_eq!(sum(&metrics(&db, acme.id, at(from), at(to)).await), expected, "{from} to {to}");
        }
        let expected = seconds.iter().filter(|second| (600..259_000).contains(*second)).count() as i64;
        while !db.orgs_with_pending_rollups().await.unwrap().is_empty() {
            assert!(roll_up(&db, acme.id, 70).await);
            assert_eq!(sum(&metrics(&db, acme.id, at(600), at(259_000)).await), expected);
        }
        assert!(metrics(&db, acme.id, at(600), at(259_000)).await.rows.len() < 16);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_rollups_count_each_log_entry_once() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1000).await;
        insert(&db, acme.id, &[1, 2, 3]).await;
        let adding: Vec<_> = (0..8)
            .map(|_| {
                let db = db.clone();
                tokio::spawn(async move {
                    let rows = db.log_summaries(acme.id, 0, 9).await.unwrap();
                    db.roll_up(acme.id, (0, 3), &counts(&rows), &[]).await.unwrap()
                })
            })
            .collect();
        let mut won = 0;
        for one in adding {
            won += i32::from(one.await.unwrap());
        }
        let found = metrics(&db, acme.id, at(0).hour(), at(0).hour() + Duration::from_hours(1)).await;
        assert_eq!((won, found.rows.len(), sum(&found)), (1, 0, 3));
    })
    .await;
}

#[tokio::test]
async fn unevaluated_requests_add_up_by_the_minute() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10).await;
        let minute = at(0).minute();
        let one = |count, minutes| UnevaluatedCount {
            org_id: acme.id,
            minute: minute + Duration::from_mins(minutes),
            project_id: Uuid::nil(),
            count,
        };
        db.add_unevaluated(&[one(2, 0), one(3, 0), one(5, 1)]).await.unwrap();
        let end = minute + Duration::from_mins(1);
        assert_eq!(db.unevaluated_counts(acme.id, minute, end).await.unwrap(), [(Uuid::nil(), 5)]);
        assert_eq!(db.unevaluated_counts(Uuid::nil(), minute, end).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn summaries_carry_the_credits_of_their_log_entries() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1000).await;
        let decision =
            |(second, credits)| DecisionRecord::of(LogEntry { credits, ..log(acme.id, second) }, "analyze");
        db.commit_decisions(&[(1, 3), (2, 0)].map(decision)).await.unwrap();
        let credits = |rows: Vec<LogSummary>| rows.iter().map(|row| row.credits).collect::<Vec<_>>();
        assert_eq!(credits(db.log_summaries(acme.id, 0, 9).await.unwrap()), [3, 0]);
        assert_eq!(credits(metrics(&db, acme.id, at(0), at(9)).await.rows), [3, 0]);
    })
    .await;
}
