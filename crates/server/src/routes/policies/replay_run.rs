//! Stored requests judged again.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use guardengine_engine::{
    guardrail::Direction,
    policy::{Compiled, Verdict},
};
use guardengine_store::{Log, LogFilter, Page, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    guard::{decision::rounded, submission::Submission},
    http::Error,
};

/// Rows in memory at a time: a kept text may have megabytes.
const BATCH: u16 = 25;
/// A replay stops after this time and says where to go on.
const MAX_TEXT_LENGTH: Duration = Duration::from_secs(10);

/// A guardrail that triggers under the draft.
#[derive(Debug, Serialize, ToSchema)]
pub struct Triggers {
    /// Wire name.
    name: &'static str,
    /// 0 to 1.
    confidence: f64,
    /// `allow`, `mask`, `block`, `challenge` or `escalate`.
    action: &'static str,
}

/// A row judged again.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReplayedRow {
    log_id: Uuid,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// What was decided then.
    decision: String,
    /// What the draft decides.
    new_decision: &'static str,
    /// What triggers under the draft.
    triggered_guardrails: Vec<Triggers>,
    /// Whether the two decisions differ.
    changed: bool,
}

/// What would change.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Replay {
    /// Rows judged again.
    replayed: usize,
    /// Rows of which no text was kept, calls that only masked, and answers to challenges.
    skipped: usize,
    /// Rows whose decision differs.
    changed: usize,
    /// Newest first.
    rows: Vec<ReplayedRow>,
    /// Where to go on; null when every row was looked at.
    next_cursor: Option<Uuid>,
}

/// Which rows are judged again, and by what.
pub struct Rows {
    pub org_id: Uuid,
    pub policy: Arc<Compiled>,
    pub filter: LogFilter,
    /// At most so many.
    pub limit: u16,
    /// Only those after this one.
    pub cursor: Option<Uuid>,
}

impl Rows {
    /// Judges them, newest first, until they, the limit or the time end.
    pub async fn replay(&self, app: &App) -> Result<Replay, Error> {
        let began = Instant::now();
        let mut replay = Replay { next_cursor: self.cursor, ..Replay::default() };
        let mut left = self.limit;
        while left > 0 {
            let page = Page { limit: left.min(BATCH), before: replay.next_cursor };
            let paged = app.db.logs(self.org_id, &self.filter, page).await?;
            left -= paged.rows.len() as u16;
            for row in paged.rows {
                if replay.has_begun() && began.elapsed() > MAX_TEXT_LENGTH {
                    return Ok(replay);
                }
                replay.next_cursor = Some(row.id);
                replay.add(self.evaluate(app, row).await?);
            }
            replay.next_cursor = paged.next;
            if paged.next.is_none() {
                break;
            }
        }
        Ok(replay)
    }

    /// `None` where there is nothing to judge.
    async fn evaluate(&self, app: &App, mut row: Log) -> Result<Option<ReplayedRow>, Error> {
        let Some(text) = row.text.take().filter(|_| is_evaluation(&row.endpoint)) else { return Ok(None) };
        let submission = Submission::of(direction(&row.direction), text);
        let trial = app.guard.dry_run(self.org_id, Arc::clone(&self.policy), submission).await?;
        Ok(Some(ReplayedRow::of(row, &trial.evaluation.verdict)))
    }
}

impl Replay {
    const fn has_begun(&self) -> bool {
        self.replayed + self.skipped > 0
    }

    fn add(&mut self, row: Option<ReplayedRow>) {
        let Some(row) = row else {
            self.skipped += 1;
            return;
        };
        self.replayed += 1;
        self.changed += usize::from(row.changed);
        self.rows.push(row);
    }
}

/// Calls that mask ask for no decision, and what became of a challenge is its user's.
fn is_evaluation(endpoint: &str) -> bool {
    !endpoint.starts_with("mask") && endpoint != "challenge"
}

fn direction(name: &str) -> Direction {
    if name == "output" { Direction::Output } else { Direction::Input }
}

impl ReplayedRow {
    fn of(row: Log, verdict: &Verdict) -> Self {
        let new_decision = verdict.outcome.name();
        let triggered = verdict.triggered.iter().map(|triggered| Triggers {
            name: triggered.name,
            confidence: rounded(triggered.confidence),
            action: triggered.outcome.name(),
        });
        Self {
            log_id: row.id,
            created_at: row.created_at,
            changed: row.decision != new_decision,
            decision: row.decision,
            new_decision,
            triggered_guardrails: triggered.collect(),
        }
    }
}
