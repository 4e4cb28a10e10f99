//! Background jobs: writing activity, rolling up log entries, deleting expired data, evaluating long audio and datasets,
//! checking connectors, evaluating alert rules, sending tickets, events and alerts, and exporting the log.

use std::{future::Future, time::Duration};

use guardengine_auth::signing_keys;
use guardengine_integrations::{alerts::evaluate_due, events::emit_expired};
use guardengine_store::{Error, Result, Timestamp};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use crate::{app::App, audit_heads, dashboard, doctor::failed_parts};

// Maximum lag of `usage_count` and `last_used_at`.
const WRITE_ACTIVITY: Duration = Duration::from_secs(2);
// Dashboards read newer log entries one by one.
const ROLL_UP: Duration = Duration::from_secs(5);
// Maximum delay of the event for a review that expired without a decision.
const EMIT_EXPIRIES: Duration = Duration::from_secs(5);
// Rules are due once a minute; this finds them.
const EVALUATE_ALERTS: Duration = Duration::from_secs(10);
const SWEEP: Duration = Duration::from_hours(1);
// Pause between batches of deletions, so that other writers get their turn.
const PAUSE: Duration = Duration::from_millis(20);
// Time for which a late answer to a challenge is refused as expired instead of unknown.
const LATE_ANSWERS: Duration = Duration::from_hours(24);
// Time for which the list shows accepted, revoked and expired invitations.
const ENDED_INVITATIONS: Duration = Duration::from_hours(30 * 24);

/// Starts all jobs as some of `tasks`, until `stop`.
pub fn start(app: &App, tasks: &TaskTracker, stop: &CancellationToken) {
    tasks.spawn(every(WRITE_ACTIVITY, app.clone(), stop.clone(), write_activity));
    tasks.spawn(every(signing_keys::RELOAD_INTERVAL, app.clone(), stop.clone(), renew_signing_keys));
    tasks.spawn(every(ROLL_UP, app.clone(), stop.clone(), roll_up));
    tasks.spawn(every(SWEEP, app.clone(), stop.clone(), sweep_and_log));
    let (clock, draining) = (app.tenants.clock.clone(), app.operations.draining.clone());
    tasks.spawn(app.evaluations.clone().run_until(draining.clone()));
    tasks.spawn(app.guard.clone().run_jobs_until(clock, draining));
    tasks.spawn(audit_heads::report_until(app.clone(), stop.clone()));
    app.integrations.start(stop);
    tasks.spawn(every(EMIT_EXPIRIES, app.clone(), stop.clone(), emit_expiries));
    tasks.spawn(every(EVALUATE_ALERTS, app.clone(), stop.clone(), evaluate_alerts));
    if let Some(export) = app.operations.log_export.clone() {
        tasks.spawn(export.export_until(stop.clone()));
    }
}

async fn every<F: Future<Output = ()>>(
    span: Duration,
    app: App,
    stop: CancellationToken,
    work: impl Fn(App) -> F,
) {
    let mut ticks = interval(span);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        if !app.operations.health.is_writable() {
            // Every job writes.
            continue;
        }
        // A job that hangs when the store becomes unavailable is dropped and runs again at the next tick.
        let _cut = app.operations.health.run_while_up(work(app.clone())).await.is_none();
    }
}

async fn write_activity(app: App) {
    app.write_activity_now().await;
    // Samples accumulate until they are sorted into buckets, even if nobody scrapes the metrics.
    app.operations.metrics.run_upkeep();
}

async fn renew_signing_keys(app: App) {
    if let Err(error) = app.auth.reload_signing_keys().await {
        tracing::warn!(%error, "could not reload signing keys; continuing with the current ones");
    }
}

async fn roll_up(app: App) {
    let rolled_up = app.operations.draining.run_until_cancelled(dashboard::roll_up(&app.tenants.db)).await;
    if let Some(Err(error)) = rolled_up {
        tracing::warn!(%error, "could not roll up log entries; dashboards are slower until this succeeds");
    }
}

async fn emit_expiries(app: App) {
    let emitted =
        app.operations.draining.run_until_cancelled(emit_expired(&app.tenants.db, &app.tenants.clock)).await;
    if let Some(Err(error)) = emitted {
        tracing::warn!(%error, "could not emit review expiry events; retrying in 5 s");
    }
}

async fn evaluate_alerts(app: App) {
    let evaluated = app.operations.draining.run_until_cancelled(evaluate_alerts_now(&app)).await;
    if let Some(Err(error)) = evaluated {
        tracing::warn!(%error, "could not evaluate alert rules; retrying in 10 s");
    }
}

async fn sweep_and_log(app: App) {
    let swept = app.operations.draining.run_until_cancelled(Box::pin(sweep(&app))).await;
    if let Some(Err(error)) = swept {
        tracing::warn!(%error, "could not delete all expired data; retrying in an hour");
    }
}

/// Runs the roll-up and the deletion of expired data now.
pub async fn run_now(app: &App) -> Result<()> {
    dashboard::roll_up(&app.tenants.db).await?;
    sweep(app).await
}

/// Evaluates the alert rules that are due.
pub async fn evaluate_alerts_now(app: &App) -> Result<()> {
    let failed = failed_parts(&app.operations, &app.tenants, &app.guard, &app.admission).await;
    evaluate_due(&app.integrations, &failed).await
}

/// Creates the coming month partitions of the log, sums up old ledger entries, and deletes expired data: log entries
/// with their reviews and tickets, events, messages of alerts, invitations, audit entries, jobs, challenges, trust scores
/// back at their start value, sessions, signing keys and sign-in attempts.
async fn sweep(app: &App) -> Result<()> {
    let now = app.tenants.clock.now();
    app.tenants.db.delete_ended_login_attempts(now).await?;
    app.tenants
        .db
        .delete_sessions_before(now - app.operations.settings.auth.session.refresh_token_ttl)
        .await?;
    let last_signed =
        now - app.operations.settings.auth.session.access_token_ttl - signing_keys::RETENTION_MARGIN;
    app.tenants.db.delete_signing_keys_before(last_signed).await?;
    let before = |retention: Option<Duration>| retention.map(|span| now - span);
    let (logs, audit) =
        (before(app.operations.settings.log_retention), before(app.operations.settings.audit_retention));
    let credits = before(app.operations.settings.credit_retention);
    update_log_partitions(app, logs).await;
    delete_audit(app, Uuid::nil(), audit).await?;
    // The expiry event of an undecided review must be emitted before the review is deleted.
    emit_expired(&app.tenants.db, &app.tenants.clock).await?;
    for org in app.tenants.db.orgs().await? {
        delete_logs(app, org.id, logs).await?;
        delete_reviews(app, org.id, logs).await?;
        delete_tickets(app, org.id, logs).await?;
        delete_events(app, org.id).await?;
        delete_alert_deliveries(app, org.id).await?;
        delete_invitations(app, org.id).await?;
        delete_audit(app, org.id, audit).await?;
        roll_up_credits(app, org.id, credits).await?;
    }
    Box::pin(app.guard.sweep_jobs(&app.tenants.clock)).await?;
    delete_trust(app).await?;
    delete_challenges(app).await
}

/// Creates and drops month partitions. The log also works without them, so an error does not stop the sweep.
async fn update_log_partitions(app: &App, before: Option<Timestamp>) {
    let updated = async {
        let created = app.tenants.db.create_log_partitions(app.tenants.clock.now()).await?;
        let dropped = match before {
            Some(before) => app.tenants.db.drop_log_partitions_before(before).await?,
            None => Vec::new(),
        };
        Result::Ok((created, dropped))
    };
    match updated.await {
        Ok((created, dropped)) if created.is_empty() && dropped.is_empty() => {}
        Ok((created, dropped)) => tracing::info!(?created, ?dropped, "updated the partitions of the log"),
        Err(error) => {
            tracing::warn!(%error, "could not update the partitions of the log; retrying in an hour");
        }
    }
}

async fn delete_logs(app: &App, org: Uuid, before: Option<Timestamp>) -> Result<()> {
    let Some(before) = before else { return Ok(()) };
    while app.tenants.db.delete_logs_before(org, before).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn roll_up_credits(app: &App, org: Uuid, before: Option<Timestamp>) -> Result<()> {
    let Some(before) = before else { return Ok(()) };
    while app.tenants.db.roll_up_credits(org, before).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn delete_reviews(app: &App, org: Uuid, before: Option<Timestamp>) -> Result<()> {
    let Some(before) = before else { return Ok(()) };
    while app.tenants.db.delete_reviews_before(org, before).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn delete_tickets(app: &App, org: Uuid, before: Option<Timestamp>) -> Result<()> {
    let Some(before) = before else { return Ok(()) };
    while app.tenants.db.delete_tickets_before(org, before).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn delete_events(app: &App, org: Uuid) -> Result<()> {
    let before = app.tenants.clock.now() - app.operations.settings.event_retention;
    while app.tenants.db.delete_events_before(org, before).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn delete_alert_deliveries(app: &App, org: Uuid) -> Result<()> {
    let before = app.tenants.clock.now() - app.operations.settings.event_retention;
    while app.tenants.db.delete_alert_deliveries_before(org, before).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn delete_invitations(app: &App, org: Uuid) -> Result<()> {
    let before = app.tenants.clock.now() - ENDED_INVITATIONS;
    while app.tenants.db.delete_invitations_ended_before(org, before).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn delete_trust(app: &App) -> Result<()> {
    while app.tenants.db.delete_neutral_trust(app.tenants.clock.now()).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn delete_challenges(app: &App) -> Result<()> {
    while app.tenants.db.delete_challenges_before(app.tenants.clock.now() - LATE_ANSWERS).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn delete_audit(app: &App, org: Uuid, before: Option<Timestamp>) -> Result<()> {
    let Some(before) = before else { return Ok(()) };
    loop {
        match app.tenants.db.delete_audit_entries_before(org, before).await {
            Ok(0) => return Ok(()),
            Ok(_) => sleep(PAUSE).await,
            Err(error @ Error::AuditTrailAltered(..)) => {
                tracing::error!(%error, "did not delete old audit entries");
                return Ok(());
            }
            Err(error) => return Err(error),
        }
    }
}
