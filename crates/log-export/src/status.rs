//! Status of the log export, for metrics and `/readyz`.

use std::sync::{Arc, Mutex, PoisonError};

use guardengine_store::{ExportLag, Timestamp};
use metrics::{counter, gauge};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, REASONS};

/// Status of the log export.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = LogExportStatus)]
pub struct StatusReport {
    /// True if this replica runs the export.
    exports_here: bool,
    /// Log entries not yet exported. Null until first measured.
    lag_rows: Option<i64>,
    /// Age in seconds of the oldest log entry not yet exported. 0 if there is none.
    lag_seconds: Option<u64>,
    /// Reason why the export is stopped: `unreachable`, `sign_in`, `no_jetstream`, `no_stream`, `subject`, `no_topic`,
    /// `forbidden`, `no_leader`, `refused`, `unacknowledged`, `store`, or null.
    error: Option<&'static str>,
}

impl StatusReport {
    /// Returns whether the export is stopped by an error.
    pub const fn has_error(&self) -> bool {
        self.error.is_some()
    }
}

/// Outcome for a log entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Published.
    Exported,
    /// Already in the JetStream stream.
    Repeated,
    /// Not acknowledged by Kafka, so it is sent again. Counted for each attempt.
    Unacknowledged,
    /// Published without its text, because it was too large.
    WithoutText,
    /// Too large even without its text; not published.
    TooLarge,
    /// Deleted by retention before it was exported.
    Deleted,
}

impl Outcome {
    const ALL: [Self; 6] = [
        Self::Exported,
        Self::Repeated,
        Self::Unacknowledged,
        Self::WithoutText,
        Self::TooLarge,
        Self::Deleted,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Exported => "exported",
            Self::Repeated => "repeated",
            Self::Unacknowledged => "unacknowledged",
            Self::WithoutText => "without_text",
            Self::TooLarge => "too_large",
            Self::Deleted => "forgotten",
        }
    }
}

/// Shared status of the export.
#[derive(Clone, Debug, Default)]
pub struct ExportStatus(Arc<Mutex<StatusReport>>);

impl ExportStatus {
    /// Creates the status and initializes all metrics.
    pub fn new() -> Self {
        for outcome in Outcome::ALL {
            count(outcome, 0);
        }
        let status = Self::default();
        status.lease_released();
        status
    }

    /// Returns the status for `/readyz`.
    pub fn report(&self) -> StatusReport {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, change: impl FnOnce(&mut StatusReport)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Records the lag of the export.
    pub(super) fn set_lag(&self, lag: ExportLag, now: Timestamp) {
        let seconds = lag.oldest.map_or(0.0, |oldest| now.since(oldest).as_secs_f64());
        gauge!("guardengine_log_export_lag_rows").set(lag.rows as f64);
        gauge!("guardengine_log_export_lag_seconds").set(seconds);
        self.change(|report| (report.lag_rows, report.lag_seconds) = (Some(lag.rows), Some(seconds as u64)));
    }

    /// Records that this replica runs the export.
    pub(super) fn lease_acquired(&self) {
        tracing::info!("this replica runs the log export");
        self.change(|report| report.exports_here = true);
    }

    /// Records that this replica does not run the export.
    pub(super) fn lease_released(&self) {
        gauge!("guardengine_log_export_broker_up").set(0.0);
        set_error_gauges(None);
        self.change(|report| (report.exports_here, report.error) = (false, None));
    }

    /// Records that the broker accepts log entries.
    pub(super) fn set_healthy(&self) {
        gauge!("guardengine_log_export_broker_up").set(1.0);
        set_error_gauges(None);
        self.change(|report| {
            if report.error.take().is_some() {
                tracing::info!("log export resumed");
            }
        });
    }

    /// Records an error. Logs each reason once.
    pub(super) fn set_error(&self, error: &Error) {
        let reason = error.reason();
        if matches!(error, Error::Unreachable(_) | Error::SignIn(_)) {
            gauge!("guardengine_log_export_broker_up").set(0.0);
        }
        set_error_gauges(Some(reason));
        self.change(|report| {
            if report.error.replace(reason) != Some(reason) {
                tracing::warn!(%error, "log export stopped; retrying");
            }
        });
    }
}

fn set_error_gauges(current: Option<&str>) {
    for reason in REASONS {
        let is_current = current == Some(reason);
        gauge!("guardengine_log_export_error", "reason" => reason).set(f64::from(u8::from(is_current)));
    }
}

/// Counts log entries with this outcome.
pub(super) fn count(outcome: Outcome, entries: u64) {
    counter!("guardengine_log_export_rows_total", "outcome" => outcome.name()).increment(entries);
}
