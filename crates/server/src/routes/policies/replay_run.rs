//! Replays stored requests under another policy.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use guardengine_api_types::rounded;
use guardengine_engine::{
    evidence::PublicSpan,
    guardrail::Direction,
    pii::mask::has_marker,
    policy::{CompiledPolicy, Verdict},
};
use guardengine_guard::{Guard, submission::Submission};
use guardengine_store::{Db, LogEntry, LogFilter, Page, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::Error;

/// Log entries in memory at a time: a text can have megabytes.
const BATCH: u16 = 25;
/// Time after which a replay stops and returns a cursor.
const MAX_DURATION: Duration = Duration::from_secs(10);

/// A guardrail that triggers under the new policy.
#[derive(Debug, Serialize, ToSchema)]
pub struct Triggers {
    /// Name in the API.
    name: &'static str,
    /// Confidence, 0 to 1.
    confidence: f64,
    /// `allow`, `mask`, `block`, `challenge` or `escalate`.
    #[schema(value_type = guardengine_api_types::choices::Decision)]
    action: &'static str,
}

/// A replayed log entry.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReplayedRow {
    log_id: Uuid,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Original decision.
    decision: String,
    /// Decision under the new policy.
    new_decision: &'static str,
    /// Guardrails that trigger under the new policy.
    triggered_guardrails: Vec<Triggers>,
    /// Names of the guardrails that triggered originally.
    previous_guardrails: Vec<String>,
    /// True if the decisions differ.
    changed: bool,
    /// True if the stored text has markers in place of personal data: the policy evaluated the markers.
    masked: bool,
}

/// Result of a replay.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Replay {
    /// Number of replayed log entries.
    replayed: usize,
    /// Number of skipped log entries: no stored text, masking requests, challenge answers, and decisions about documents and
    /// earlier turns, which are not stored.
    skipped: usize,
    /// Number of log entries with another decision.
    changed: usize,
    /// Newest first.
    rows: Vec<ReplayedRow>,
    /// `cursor` of the next part; null when all log entries were visited.
    next_cursor: Option<Uuid>,
}

/// The log entries to replay, and the policy.
pub struct Rows {
    pub org_id: Uuid,
    pub policy: Arc<CompiledPolicy>,
    pub filter: LogFilter,
    /// Maximum number of log entries.
    pub limit: u16,
    /// Starts after this log entry.
    pub cursor: Option<Uuid>,
}

impl Rows {
    /// Replays log entries, newest first, up to the limit and for a bounded time.
    pub async fn replay(&self, db: &Db, guard: &Guard) -> Result<Replay, Error> {
        let began = Instant::now();
        let mut replay = Replay { next_cursor: self.cursor, ..Replay::default() };
        let mut left = self.limit;
        while left > 0 {
            let page = Page { limit: left.min(BATCH), before: replay.next_cursor };
            let paged = db.logs(self.org_id, &self.filter, page).await?;
            left -= paged.rows.len() as u16;
            for row in paged.rows {
                if replay.has_begun() && began.elapsed() > MAX_DURATION {
                    return Ok(replay);
                }
                replay.next_cursor = Some(row.id);
                replay.add(self.evaluate(guard, row).await?);
            }
            replay.next_cursor = paged.next;
            if paged.next.is_none() {
                break;
            }
        }
        Ok(replay)
    }

    /// Returns `None` if there is nothing to evaluate.
    async fn evaluate(&self, guard: &Guard, mut row: LogEntry) -> Result<Option<ReplayedRow>, Error> {
        let text = row.text.take().filter(|_| is_evaluation(&row.endpoint) && !rests_on_unstored_text(&row));
        let Some(text) = text else { return Ok(None) };
        let masked = has_marker(&text);
        let submission = Submission::of(direction(&row.direction), text);
        let run = guard.dry_run(self.org_id, Arc::clone(&self.policy), submission).await?;
        Ok(Some(ReplayedRow::of(row, &run.evaluation.verdict, masked)))
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

/// Masking requests have no decision, and the user decides a challenge.
fn is_evaluation(endpoint: &str) -> bool {
    !endpoint.starts_with("mask") && endpoint != "challenge"
}

/// A guardrail that triggered originally, as the log keeps it.
#[derive(Deserialize)]
struct Triggered {
    #[serde(default)]
    name: String,
    #[serde(default)]
    spans: Vec<PublicSpan>,
}

fn triggered(row: &LogEntry) -> Vec<Triggered> {
    serde_json::from_str(&row.triggered_guardrails).unwrap_or_default()
}

/// Returns whether something triggered outside the text that the log keeps.
fn rests_on_unstored_text(row: &LogEntry) -> bool {
    let triggered = triggered(row);
    let mut spans = triggered.iter().flat_map(|one| &one.spans);
    spans.any(|span| span.document.is_some() || span.turn.is_some())
}

fn direction(name: &str) -> Direction {
    if name == "output" { Direction::Output } else { Direction::Input }
}

impl ReplayedRow {
    fn of(row: LogEntry, verdict: &Verdict, masked: bool) -> Self {
        let new_decision = verdict.outcome.name();
        let triggers = verdict.triggered.iter().map(|triggered| Triggers {
            name: triggered.name,
            confidence: rounded(triggered.confidence),
            action: triggered.outcome.name(),
        });
        let previous = triggered(&row).into_iter().map(|triggered| triggered.name);
        Self {
            log_id: row.id,
            previous_guardrails: previous.collect(),
            created_at: row.created_at,
            changed: row.decision != new_decision,
            decision: row.decision,
            new_decision,
            triggered_guardrails: triggers.collect(),
            masked,
        }
    }
}
