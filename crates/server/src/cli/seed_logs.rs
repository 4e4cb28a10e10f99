//! `fill-log`: writes log entries for measurements. Hidden from the help.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use clap::Args;
use guardengine_engine::policy::document::Policy;
use guardengine_store::{Clock, Db, DecisionRecord, LogEntry, LogEntryDetails, Timestamp, new_id};
use serde_json::json;
use uuid::Uuid;

use super::{ConfigFlags, print_text, runtime};
use crate::dashboard;

// Log entries per transaction.
const BATCH: u64 = 5_000;
const TRIGGERED: &str = r#"[{"name":"prompt_injection","confidence":0.93,"severity":"high","action":"block","spans":[{"start":0,"end":20}],"evidence":["override of instructions"]}]"#;

#[derive(Debug, Args)]
pub struct SeedLogs {
    /// Number of log entries
    #[arg(long, default_value_t = 100_000)]
    rows: u64,
    /// Number of days, up to now, that the entries are spread over
    #[arg(long, default_value_t = 30)]
    days: u64,
    #[command(flatten)]
    flags: ConfigFlags,
}

impl SeedLogs {
    pub fn run(&self) -> Result<()> {
        runtime()?.block_on(self.fill())
    }

    async fn fill(&self) -> Result<()> {
        let settings = self.flags.settings()?;
        let db = Db::open(settings.database_url.expose()).await.context("cannot open the database")?;
        let org =
            db.org_by_name("default").await?.context("start the service once to create the organization")?;
        let began = Instant::now();
        self.write(&db, org.id).await?;
        let write_seconds = began.elapsed().as_secs_f64();
        // A service on the same database may hold the rollup lease; then wait for it.
        while !db.orgs_with_pending_rollups().await?.is_empty() {
            dashboard::roll_up(&db).await?;
        }
        let roll_up_seconds = began.elapsed().as_secs_f64() - write_seconds;
        db.close().await;
        let report =
            json!({ "rows": self.rows, "seconds": write_seconds, "roll_up_seconds": roll_up_seconds });
        print_text(&format!("{report}\n"))
    }

    async fn write(&self, db: &Db, org: Uuid) -> Result<()> {
        let begin = Clock::System.now() - Duration::from_hours(24) * self.days as u32;
        let step = Duration::from_hours(24) * self.days as u32 / self.rows.max(1) as u32;
        for first in (0..self.rows).step_by(BATCH as usize) {
            let end = (first + BATCH).min(self.rows);
            let entries: Vec<_> =
                (first..end).map(|number| entry(org, number, begin + step * number as u32)).collect();
            db.commit_decisions(&entries).await?;
        }
        Ok(())
    }
}

/// Builds one log entry, spread over ten projects, twenty applications and a thousand end users. One in ten is blocked.
fn entry(org_id: Uuid, number: u64, created_at: Timestamp) -> DecisionRecord {
    let is_blocked = number % 10 == 7;
    let either = |blocked: &str, allowed: &str| String::from(if is_blocked { blocked } else { allowed });
    let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    let project = mixed % 10;
    let log = LogEntry {
        org_id,
        id: new_id(created_at),
        created_at,
        endpoint: "analyze".into(),
        direction: "input".into(),
        project_id: Some(Uuid::from_u128(u128::from(project) + 1)),
        project_name: Some(format!("project {project}")),
        policy_id: Some(Uuid::from_u128(1)),
        policy_version: Some(1),
        decision: either("block", "allow"),
        shadow_decision: None,
        outcome: either("blocked", "allowed"),
        triggered_guardrails: either(TRIGGERED, "[]"),
        confidence: 0.93,
        safety_score: if is_blocked { 8 } else { 97 },
        risk_level: either("critical", "no_risk"),
        reason: is_blocked.then(|| "prompt_injection: override of instructions".into()),
        source_app: Some(format!("application {}", mixed / 10 % 20)),
        context: None,
        device_id: None,
        username: Some(format!("user {}", mixed / 200 % 1_000)),
        principal: format!("api_key:{}", Uuid::from_u128(2)),
        user_id: None,
        conversation_id: None,
        text: Some(format!(
            "Could you summarise report {number} for colleagues who missed the meeting on Monday?"
        )),
        lang_code: Some("en".into()),
        processing_time_ms: (mixed % 40 / 10 + mixed % 7 / 6 * 9) as i64,
        credits: 0,
        correlation_id: new_id(created_at).to_string(),
        model_version: "seeded".into(),
        feedback: None,
        surface: "native".into(),
        foreign_id: None,
        prompt_tokens: None,
        completion_tokens: None,
        upstream_time_ms: None,
    };
    let detail = LogEntryDetails { confidences: confidences(mixed), ..LogEntryDetails::default() };
    DecisionRecord { detail, ..DecisionRecord::of(log, "analyze") }
}

/// Returns confidences for every guardrail of the built-in policy, most of them low.
fn confidences(mixed: u64) -> String {
    let guardrails = Policy::built_in().guardrails;
    let scores = guardrails.iter().enumerate().map(|(index, item)| {
        let value = (mixed >> (index % 16)) % 1_000;
        (&item.guardrail, (value * value * value) as f64 / 1e9, item.threshold)
    });
    json!(scores.collect::<Vec<_>>()).to_string()
}
