//! Every Prometheus metric with its type, labels and help text.

use MetricType::{Counter, Gauge, Histogram, Summary};
use metrics::{describe_counter, describe_gauge, describe_histogram};

/// Type of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricType {
    /// A count that only grows.
    Counter,
    /// A value that goes up and down.
    Gauge,
    /// Counts of observations by bucket.
    Histogram,
    /// Quantiles of observations.
    Summary,
}

/// A label of a metric.
#[derive(Debug)]
pub struct Label {
    /// Name.
    pub name: &'static str,
    /// Values. Empty if the catalog does not list them.
    pub values: &'static [&'static str],
}

/// A metric.
#[derive(Debug)]
pub struct Metric {
    /// Name.
    pub name: &'static str,
    /// Type.
    pub metric_type: MetricType,
    /// Labels.
    pub labels: &'static [Label],
    /// Help text, without a full stop.
    pub help: &'static str,
}

const fn metric(
    name: &'static str,
    metric_type: MetricType,
    labels: &'static [Label],
    help: &'static str,
) -> Metric {
    Metric { name, metric_type, labels, help }
}

const fn label(name: &'static str) -> Label {
    one_of(name, &[])
}

const fn one_of(name: &'static str, values: &'static [&'static str]) -> Label {
    Label { name, values }
}

const PURPOSES: &[&str] = &["judgement", "policy"];

/// Every metric.
pub static METRICS: &[Metric] = &[
    metric(
        "guardengine_requests_total",
        Counter,
        &[
            label("path"),
            one_of("method", &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"]),
            label("status"),
        ],
        "Responses; path is the route, or unmatched",
    ),
    metric(
        "guardengine_request_duration_seconds",
        Histogram,
        &[label("path")],
        "Time from a request to its response",
    ),
    metric(
        "guardengine_decision_duration_seconds",
        Histogram,
        &[label("operation")],
        "Time from a guard request to its decision",
    ),
    metric(
        "guardengine_decisions_total",
        Counter,
        &[label("operation"), label("outcome")],
        "Outcomes of guard requests that passed the credential check",
    ),
    metric(
        "guardengine_triggered_total",
        Counter,
        &[label("guardrail")],
        "Decisions in which a guardrail triggered",
    ),
    metric(
        "guardengine_gateway_tokens_total",
        Counter,
        &[one_of("type", &["input", "output"])],
        "Tokens of models behind the gateway, as providers counted them",
    ),
    metric("guardengine_journal_batch", Summary, &[], "Decisions committed in one flush; grows with load"),
    metric("guardengine_rate_limited_total", Counter, &[], "Requests that a rate limit refused"),
    metric(
        "guardengine_refused_connections_total",
        Counter,
        &[],
        "Connections closed because their address had too many",
    ),
    metric(
        "guardengine_refused_bodies_total",
        Counter,
        &[],
        "Requests refused because too many bodies were in memory",
    ),
    metric(
        "guardengine_sign_ins_total",
        Counter,
        &[one_of("outcome", &["signed_in", "refused", "locked"])],
        "Attempts to sign in",
    ),
    metric(
        "guardengine_tickets_total",
        Counter,
        &[label("system"), one_of("outcome", &["sent", "commented", "put_off", "dead"])],
        "Attempts to deliver tickets",
    ),
    metric(
        "guardengine_ticket_delay_seconds",
        Histogram,
        &[],
        "Time from a decision to the arrival of its ticket",
    ),
    metric(
        "guardengine_event_messages_total",
        Counter,
        &[one_of("outcome", &["arrived", "failed"])],
        "Messages to event webhooks",
    ),
    metric(
        "guardengine_event_delay_seconds",
        Histogram,
        &[],
        "Time from an event to the arrival of its message",
    ),
    metric(
        "guardengine_alerts_total",
        Counter,
        &[one_of("change", &["fired", "resolved"])],
        "Alert rules that began or ceased to fire",
    ),
    metric(
        "guardengine_alert_messages_total",
        Counter,
        &[one_of("outcome", &["sent", "failed", "dead"])],
        "Attempts to send messages of alerts",
    ),
    metric(
        "guardengine_connector_checks_total",
        Counter,
        &[label("connector_type"), one_of("outcome", &["active", "error"])],
        "Checks of connectors",
    ),
    metric(
        "guardengine_llm_requests_total",
        Counter,
        &[
            label("connector_type"),
            one_of("purpose", PURPOSES),
            one_of("outcome", &["answered", "busy", "resting", "timed_out", "refused", "failed", "unusable"]),
        ],
        "Requests to language models",
    ),
    metric(
        "guardengine_llm_duration_seconds",
        Histogram,
        &[one_of("purpose", PURPOSES)],
        "Time of requests to language models",
    ),
    metric(
        "guardengine_media_sandbox",
        Gauge,
        &[one_of("mechanism", &["landlock", "seccomp"])],
        "Whether the kernel confines media workers: 1 or 0",
    ),
    metric(
        "guardengine_media_total",
        Counter,
        &[
            label("kind"),
            one_of("outcome", &["read", "unreadable", "busy", "missing", "timed_out", "failed"]),
        ],
        "Images, audio and documents that workers were asked to read",
    ),
    metric(
        "guardengine_media_duration_seconds",
        Histogram,
        &[label("kind")],
        "Time to read an image or audio",
    ),
    metric("guardengine_store_up", Gauge, &[], "1 while the database answers and accepts writes"),
    metric("guardengine_redis_up", Gauge, &[], "1 while Redis answers; only with Redis"),
    metric(
        "guardengine_spool_rows",
        Gauge,
        &[],
        "Log entries that wait for the database; only with PostgreSQL",
    ),
    metric(
        "guardengine_service_log_dropped_total",
        Counter,
        &[],
        "Lines of the service log that standard error did not accept",
    ),
    metric(
        "guardengine_log_export_rows_total",
        Counter,
        &[one_of(
            "outcome",
            &["exported", "repeated", "unacknowledged", "without_text", "too_large", "forgotten"],
        )],
        "Log entries by what the export did with them",
    ),
    metric("guardengine_log_export_lag_rows", Gauge, &[], "Log entries not yet exported"),
    metric("guardengine_log_export_lag_seconds", Gauge, &[], "Age of the oldest log entry not yet exported"),
    metric(
        "guardengine_log_export_broker_up",
        Gauge,
        &[],
        "1 on the replica that exports, while the broker accepts log entries",
    ),
    metric(
        "guardengine_log_export_error",
        Gauge,
        &[label("reason")],
        "1 for the reason that stops the export",
    ),
];

/// Gives the metrics recorder of the process the help text of every metric.
pub fn describe() {
    for metric in METRICS {
        match metric.metric_type {
            Counter => describe_counter!(metric.name, metric.help),
            Gauge => describe_gauge!(metric.name, metric.help),
            Histogram | Summary => describe_histogram!(metric.name, metric.help),
        }
    }
}

#[cfg(test)]
mod tests;
