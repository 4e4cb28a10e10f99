use std::time::Instant;

use axum::extract::State;
use futures::future::try_join_all;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use guardengine_guard::Guard;
use guardengine_integrations::{
    Integrations,
    alerts::{AlertMessage, content, send_to, summary_now},
};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::response::{parsed, stored};
use crate::{
    app::{Operations, Tenants},
    doctor::failed_parts,
    http::{Admission, Answer, Caller, Error, Json, PathId},
};

/// The outcome of a test message.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlertTestResult {
    connector_id: Uuid,
    /// True if the other side accepted the message.
    ok: bool,
    /// Error; null on success.
    error: Option<String>,
    /// Duration, milliseconds.
    latency_ms: u64,
}

/// The outcome of a test of an alert rule.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlertTest {
    /// Sentence about the condition now, with its numbers.
    summary: String,
    /// One for each channel.
    results: Vec<AlertTestResult>,
}

/// Test an alert rule
///
/// Evaluates the condition and sends a message that is marked as a test to every channel, whether the condition holds or
/// not. The state of the rule does not change, and no event is written.
#[utoipa::path(
    post, path = "/api/alerts/{alert_id}/test", tag = "alerts", operation_id = "alerts_test",
    params(("alert_id" = uuid::Uuid, Path, description = "Alert identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The outcome of each channel", body = AlertTest),
        (status = 404, description = "Alert not found, or not visible to the caller", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    State(operations): State<Operations>,
    State(guard): State<Guard>,
    State(admission): State<Admission>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<AlertTest> {
    let rule = stored(&tenants, &caller, id).await?;
    let failed = failed_parts(&operations, &tenants, &guard, &admission).await;
    let summary = summary_now(&integrations, &rule, &failed).await?;
    let (channels, recipients): (Vec<Uuid>, Vec<String>) =
        (parsed(&rule.channels)?, parsed(&rule.recipients)?);
    let now = tenants.clock.now();
    let content = content(&integrations, &format!("This is a test. {summary}"), now);
    let title = format!("Test: {}", rule.name);
    let message = AlertMessage { title: &title, content: &content, recipients: &recipients };
    let sent = channels.iter().map(|channel| send(&integrations, caller.org_id, *channel, message));
    let results = try_join_all(sent).await?;
    let failed: Vec<_> =
        results.iter().filter(|result| !result.ok).map(|result| result.connector_id).collect();
    let details = json!({ "name": rule.name, "channels": channels, "failed": failed });
    audit::record(&tenants.db, now, &caller, "CONNECTORS:TEST_ALERT", id, details).await?;
    Ok(Json(AlertTest { summary, results }))
}

async fn send(
    integrations: &Integrations,
    org: Uuid,
    connector_id: Uuid,
    message: AlertMessage<'_>,
) -> Result<AlertTestResult, Error> {
    let began = Instant::now();
    let error = send_to(integrations, org, connector_id, message).await?.err().map(|failed| failed.error);
    let latency_ms = began.elapsed().as_millis() as u64;
    Ok(AlertTestResult { connector_id, ok: error.is_none(), error, latency_ms })
}
