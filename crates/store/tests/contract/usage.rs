//! Usage of a period by project, API key and other properties of log entries.

use std::collections::BTreeMap;

use guardengine_store::{
    ALL_PROJECTS, Db, DecisionRecord, HourlyCount, LogEntry, LogSummary, MetricQuery, Period, PeriodUsage,
    Timestamp, Usage, UsageCount, new_id,
};
use uuid::Uuid;

use crate::fixtures::{at, log, on_both, org};

const SHOP: Uuid = Uuid::from_u128(0x5);
const DESK: Uuid = Uuid::from_u128(0xd);
const STEP: i64 = 700;

/// Entry of one of seven users or of none, in one of two projects or in none, with all outcomes and prices.
fn entry(org_id: Uuid, number: i64) -> LogEntry {
    LogEntry {
        id: new_id(at(number * STEP)),
        username: (number % 8 != 0).then(|| format!("user {}", number % 8)),
        project_id: [None, Some(SHOP), Some(DESK)][(number % 3) as usize],
        outcome: ["allowed", "blocked", "masked"][(number / 2 % 3) as usize].to_owned(),
        credits: number % 5,
        ..log(org_id, number * STEP)
    }
}

async fn insert(db: &Db, entries: impl Iterator<Item = LogEntry>) {
    let decisions: Vec<_> = entries.map(|entry| DecisionRecord::of(entry, "analyze")).collect();
    db.commit_decisions(&decisions).await.unwrap();
}

fn usage(outcome: &str, credits: i64) -> Usage {
    let is = |name| i64::from(outcome == name);
    Usage { requests: 1, blocked: is("blocked"), masked: is("masked"), credits }
}

fn user(username: Option<&String>) -> String {
    username.cloned().unwrap_or_default()
}

fn counted(rows: &[LogSummary]) -> Vec<UsageCount> {
    let mut counted: BTreeMap<(String, Uuid, Timestamp, String), Usage> = BTreeMap::new();
    for row in rows {
        for (dimension, hour) in [("user", row.created_at.hour()), ("user_by_day", row.created_at.day())] {
            for project in row.project_id.into_iter().chain([ALL_PROJECTS]) {
                let key = (dimension.to_owned(), project, hour, user(row.username.as_ref()));
                *counted.entry(key).or_default() += usage(&row.outcome, row.credits);
            }
        }
    }
    let of = |((dimension, project_id, hour, name), usage)| UsageCount {
        dimension,
        hour,
        project_id,
        name,
        usage,
    };
    counted.into_iter().map(of).collect()
}

/// Rolls up the next `limit` entries.
async fn roll_up(db: &Db, org_id: Uuid, limit: u16) {
    let from = db.orgs_with_pending_rollups().await.unwrap()[0].1;
    let rows = db.log_summaries(org_id, from, limit).await.unwrap();
    assert!(db.roll_up(org_id, (from, rows.last().unwrap().sequence), &[], &counted(&rows)).await.unwrap());
}

async fn period_usage(db: &Db, org_id: Uuid, period: (i64, i64), projects: Option<&[Uuid]>) -> PeriodUsage {
    let period = Period { from: at(period.0), to: at(period.1) };
    let query = MetricQuery { period, projects, by_hour: &[], over_period: &[] };
    db.period_usage(org_id, &query, "user").await.unwrap()
}

fn by_user(found: &PeriodUsage) -> BTreeMap<String, Usage> {
    let mut by_user: BTreeMap<String, Usage> = found.names.iter().cloned().collect();
    for row in &found.rows {
        *by_user.entry(user(row.username.as_ref())).or_default() += usage(&row.outcome, row.credits);
    }
    by_user
}

#[tokio::test]
async fn usage_is_that_of_the_log_entries_at_any_stage_of_the_rollup() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10_000).await;
        let entries: Vec<_> = (0..400).map(|number| entry(acme.id, number)).collect();
        insert(&db, entries.iter().cloned()).await;
        let scopes: [Option<&[Uuid]>; 3] = [None, Some(&[SHOP]), Some(&[])];
        loop {
            for period in [(0, 280_000), (1_234, 15_678), (600, 259_000), (7_200, 10_800), (290_000, 300_000)]
            {
                for projects in scopes {
                    let mut expected: BTreeMap<String, Usage> = BTreeMap::new();
                    let is_in = |entry: &&LogEntry| {
                        let of_scope =
                            |ids: &[Uuid]| entry.project_id.is_some_and(|project| ids.contains(&project));
                        projects.is_none_or(of_scope)
                            && (at(period.0)..at(period.1)).contains(&entry.created_at)
                    };
                    for entry in entries.iter().filter(is_in) {
                        let key = user(entry.username.as_ref());
                        *expected.entry(key).or_default() += usage(&entry.outcome, entry.credits);
                    }
                    let found = period_usage(&db, acme.id, period, projects).await;
                    assert_eq!(by_user(&found), expected, "{period:?} {projects:?}");
                    let mut sum = Usage::default();
                    for (_, usage) in &found.names {
                        sum += *usage;
                    }
                    assert_eq!((found.sum, found.has_all_names), (sum, true));
                }
            }
            if db.orgs_with_pending_rollups().await.unwrap().is_empty() {
                break;
            }
            roll_up(&db, acme.id, 90).await;
        }
    })
    .await;
}

#[tokio::test]
async fn five_hundred_names_with_the_most_credits_are_listed_and_the_sum_has_all() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1_000_000).await;
        let one = |number: i64| LogEntry {
            username: Some(format!("user {number:03}")),
            credits: number,
            outcome: "blocked".to_owned(),
            ..log(acme.id, number % 60)
        };
        insert(&db, (0..600).map(one)).await;
        roll_up(&db, acme.id, 600).await;
        let found = period_usage(&db, acme.id, (-86_400, 86_400), None).await;
        assert_eq!((found.names.len(), found.has_all_names), (500, false));
        assert_eq!((found.names[0].0.as_str(), found.names[499].0.as_str()), ("user 599", "user 100"));
        assert_eq!(found.sum, Usage { requests: 600, blocked: 600, masked: 0, credits: 599 * 300 });
    })
    .await;
}

#[tokio::test]
async fn the_last_hour_counted_without_usage_is_known() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 10_000).await;
        insert(&db, (0..20).map(|number| LogEntry { project_id: Some(SHOP), ..entry(acme.id, number) }))
            .await;
        let earlier = db.log_summaries(acme.id, 0, 9).await.unwrap();
        let later = db.log_summaries(acme.id, 9, 20).await.unwrap();
        // Two versions count the hour of the update.
        assert_eq!(earlier[8].created_at.hour(), later[0].created_at.hour());
        let outcomes = |rows: &[LogSummary]| {
            let one = |row: &LogSummary| HourlyCount {
                dimension: "outcome".to_owned(),
                hour: row.created_at.hour(),
                project_id: ALL_PROJECTS,
                name: row.sequence.to_string(),
                count: 1,
            };
            rows.iter().map(one).collect::<Vec<_>>()
        };
        db.roll_up(acme.id, (0, 9), &outcomes(&earlier), &[]).await.unwrap();
        db.roll_up(acme.id, (9, 20), &outcomes(&later), &counted(&later)).await.unwrap();
        let last = async |from, projects: Option<&[Uuid]>| {
            let period = Period { from, to: at(200_000) };
            db.last_hour_without_usage(acme.id, period, projects, "user").await.unwrap()
        };
        let hour = earlier[8].created_at.hour();
        assert_eq!(last(at(-10_000), None).await, Some(hour));
        assert_eq!(last(hour + std::time::Duration::from_hours(1), None).await, None);
        assert_eq!(last(at(-10_000), Some(&[DESK])).await, None);
    })
    .await;
}
