//! Heads of audit trails, reported to where a writer of the database does not reach: the service log and webhooks.

use std::{collections::HashMap, time::Duration};

use guardengine_integrations::events::of_audit_head;
use guardengine_store::Result;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::app::App;

const INTERVAL: Duration = Duration::from_hours(1);

/// Logs the heads at the start, and then every hour logs those that moved, and sends events about them.
pub async fn report_until(app: App, stop: CancellationToken) {
    let mut logged = HashMap::new();
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_start = true;
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        if !app.operations.health.is_writable() {
            continue;
        }
        let work = async {
            log_moved(&app, &mut logged).await?;
            if is_start { Ok(()) } else { send_events(&app).await }
        };
        if let Some(Err(error)) = app.operations.health.run_while_up(work).await {
            tracing::warn!(%error, "could not report the heads of the audit trails; retrying in an hour");
        }
        is_start = false;
    }
}

/// Logs the heads that moved since they were last logged.
async fn log_moved(app: &App, logged: &mut HashMap<Uuid, i64>) -> Result<()> {
    for head in app.tenants.db.audit_heads().await? {
        if logged.insert(head.org_id, head.sequence) != Some(head.sequence) {
            // `audit verify --heads` reads these lines.
            tracing::info!(%head, "audit head");
        }
    }
    Ok(())
}

/// Sends an event for each organization whose head moved since the last one. The installation has no subscriptions.
pub async fn send_events(app: &App) -> Result<()> {
    for head in app.tenants.db.unannounced_audit_heads().await? {
        let event = of_audit_head(&head, app.tenants.clock.now());
        app.tenants.db.announce_audit_head(&head, event).await?;
    }
    Ok(())
}
