//! How the export stands, in metrics and in `/readyz`.

use std::sync::{Mutex, PoisonError};

use guardengine_store::{ExportLag, Timestamp};
use metrics::{counter, gauge};
use serde::Serialize;
use utoipa::ToSchema;

use super::error::{Error, REASONS};

/// How the export of log rows stands.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = LogExportStanding)]
pub struct StatusReport {
    /// Whether this replica is the one that exports.
    exports_here: bool,
    /// Rows that the stream or topic does not have; null before they were counted.
    lag_rows: Option<i64>,
    /// Seconds since the oldest of them was made; 0 without any.
    lag_seconds: Option<u64>,
    /// Why nothing is exported now: `unreachable`, `sign_in`, `no_jetstream`, `no_stream`, `subject`, `no_topic`,
    /// `forbidden`, `no_leader`, `refused`, `unacknowledged`, `store`, or null.
    error: Option<&'static str>,
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The broker has it.
    Exported,
    /// JetStream had it already.
    Repeated,
    /// Kafka may have it, and it is sent again: nothing acknowledged it. Once more for each time.
    Unacknowledged,
    /// The broker has it without its text, with which it would be too large.
    WithoutText,
    /// It is too large even so.
    TooLarge,
    /// It was forgotten for its age before it was exported.
    Forgotten,
}

impl Outcome {
    const ALL: [Self; 6] = [
        Self::Exported,
        Self::Repeated,
        Self::Unacknowledged,
        Self::WithoutText,
        Self::TooLarge,
        Self::Forgotten,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Exported => "exported",
            Self::Repeated => "repeated",
            Self::Unacknowledged => "unacknowledged",
            Self::WithoutText => "without_text",
            Self::TooLarge => "too_large",
            Self::Forgotten => "forgotten",
        }
    }
}

/// How the export stands.
#[derive(Debug, Default)]
pub struct ExportStatus(Mutex<StatusReport>);

impl ExportStatus {
    /// With every figure there from the beginning.
    pub fn new() -> Self {
        for outcome in Outcome::ALL {
            count(outcome, 0);
        }
        let standing = Self::default();
        standing.lease_released();
        standing
    }

    /// What `/readyz` tells.
    pub fn report(&self) -> StatusReport {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, change: impl FnOnce(&mut StatusReport)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Keeps how far the export is behind.
    pub(super) fn measured(&self, lag: ExportLag, now: Timestamp) {
        let seconds = lag.oldest.map_or(0.0, |oldest| now.since(oldest).as_secs_f64());
        gauge!("guardengine_log_export_lag_rows").set(lag.rows as f64);
        gauge!("guardengine_log_export_lag_seconds").set(seconds);
        self.change(|told| (told.lag_rows, told.lag_seconds) = (Some(lag.rows), Some(seconds as u64)));
    }

    /// This replica exports.
    pub(super) fn lease_acquired(&self) {
        tracing::info!("this replica exports the log");
        self.change(|told| told.exports_here = true);
    }

    /// This replica does not export, any more or yet.
    pub(super) fn lease_released(&self) {
        gauge!("guardengine_log_export_broker_up").set(0.0);
        tell(None);
        self.change(|told| (told.exports_here, told.error) = (false, None));
    }

    /// The broker is there, and takes rows.
    pub(super) fn set_healthy(&self) {
        gauge!("guardengine_log_export_broker_up").set(1.0);
        tell(None);
        self.change(|told| {
            if told.error.take().is_some() {
                tracing::info!("the log is exported again");
            }
        });
    }

    /// Nothing is exported for now; said once for each reason.
    pub(super) fn set_error(&self, fault: &Error) {
        let reason = fault.reason();
        if matches!(fault, Error::Unreachable(_) | Error::SignIn(_)) {
            gauge!("guardengine_log_export_broker_up").set(0.0);
        }
        tell(Some(reason));
        self.change(|told| {
            if told.error.replace(reason) != Some(reason) {
                tracing::warn!(%fault, "the log is not exported, rows wait");
            }
        });
    }
}

fn tell(present: Option<&str>) {
    for reason in REASONS {
        let is_present = present == Some(reason);
        gauge!("guardengine_log_export_error", "reason" => reason).set(f64::from(u8::from(is_present)));
    }
}

/// Counts rows.
pub(super) fn count(outcome: Outcome, rows: u64) {
    counter!("guardengine_log_export_rows_total", "outcome" => outcome.name()).increment(rows);
}
