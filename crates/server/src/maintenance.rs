//! What goes on in the background: activity is written, rows are added up, what is over is forgotten, connectors are
//! checked, tickets and events are sent, and the log is exported.

use std::{future::Future, time::Duration};

use guardengine_store::{Result, Timestamp};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use crate::{app::App, auth::signing_keys, connectors, dashboard, events, log_export, tickets};

// Activity may lag by this much.
const WRITE_ACTIVITY: Duration = Duration::from_secs(2);
// Dashboards read the rows of so long one by one.
const ROLL_UP: Duration = Duration::from_secs(5);
// That nobody decided a review is told after so long.
const TELL_EXPIRIES: Duration = Duration::from_secs(5);
const SWEEP: Duration = Duration::from_hours(1);
// Between two batches of what is forgotten, for others to write.
const PAUSE: Duration = Duration::from_millis(20);
// A late answer to a challenge is told so for that long.
const LATE_ANSWERS: Duration = Duration::from_hours(24);

/// Starts everything as some of `tasks`, until `stop`.
pub fn start(app: &App, tasks: &TaskTracker, stop: &CancellationToken) {
    tasks.spawn(every(WRITE_ACTIVITY, app.clone(), stop.clone(), write_activity));
    tasks.spawn(every(signing_keys::RELOAD_INTERVAL, app.clone(), stop.clone(), renew_signing_keys));
    tasks.spawn(every(ROLL_UP, app.clone(), stop.clone(), roll_up));
    tasks.spawn(every(SWEEP, app.clone(), stop.clone(), sweep_and_tell));
    tasks.spawn(connectors::run(app.clone(), stop.clone()));
    tasks.spawn(tickets::send(app.clone(), stop.clone()));
    tasks.spawn(every(TELL_EXPIRIES, app.clone(), stop.clone(), tell_expiries));
    tasks.spawn(events::deliver(app.clone(), stop.clone()));
    tasks.spawn(log_export::export(app.clone(), stop.clone()));
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
        // What hangs when the store goes is tried again when it is back.
        let _cut = app.degraded.watch.run_while_up(work(app.clone())).await.is_none();
    }
}

async fn write_activity(app: App) {
    app.write_activity_now().await;
    // Samples pile up until they are sorted into their buckets, also where nobody asks for the figures.
    app.metrics.run_upkeep();
}

async fn renew_signing_keys(app: App) {
    if let Err(fault) = app.signing_keys.renew().await {
        tracing::warn!(%fault, "signing keys not read, the known ones go on");
    }
}

async fn roll_up(app: App) {
    let rolled_up = app.draining.run_until_cancelled(dashboard::roll_up(&app.db)).await;
    if let Some(Err(fault)) = rolled_up {
        tracing::warn!(%fault, "rows are not added up, dashboards become slower until they are");
    }
}

async fn tell_expiries(app: App) {
    let told = app.draining.run_until_cancelled(events::emit_expired(&app)).await;
    if let Some(Err(fault)) = told {
        tracing::warn!(%fault, "that reviews are over is not told, until the next time");
    }
}

async fn sweep_and_tell(app: App) {
    let swept = app.draining.run_until_cancelled(sweep(&app)).await;
    if let Some(Err(fault)) = swept {
        tracing::warn!(%fault, "the sweep failed, the next one comes in an hour");
    }
}

/// Makes the months of the log that come, and forgets what is over: old rows with their reviews and tickets, events,
/// entries of the audit trail, challenges, trust that has come back, sessions, signing keys and sign-in attempts.
pub async fn sweep(app: &App) -> Result<()> {
    let now = app.clock.now();
    app.db.forget_login_attempts(now).await?;
    app.db.forget_sessions_before(now - app.settings.session.refresh_token_ttl).await?;
    let last_signed = now - app.settings.session.access_token_ttl - signing_keys::RETENTION_MARGIN;
    app.db.forget_signing_keys_before(last_signed).await?;
    let before = |retention: Option<Duration>| retention.map(|span| now - span);
    let (logs, audit) = (before(app.settings.log_retention), before(app.settings.audit_retention));
    keep_log_months(app, logs).await;
    forget_audit(app, Uuid::nil(), audit).await?;
    // A review that nobody decided stays until that is told.
    events::emit_expired(app).await?;
    for org in app.db.orgs().await? {
        forget_logs(app, org.id, logs).await?;
        forget_reviews(app, org.id, logs).await?;
        forget_tickets(app, org.id, logs).await?;
        forget_events(app, org.id).await?;
        forget_audit(app, org.id, audit).await?;
    }
    forget_trust(app).await?;
    forget_challenges(app).await
}

/// Rows are kept and forgotten without months too: what goes wrong with them holds up nothing else.
async fn keep_log_months(app: &App, before: Option<Timestamp>) {
    let kept = async {
        let made = app.db.make_log_months(app.clock.now()).await?;
        let gone = match before {
            Some(before) => app.db.forget_log_months_before(before).await?,
            None => Vec::new(),
        };
        Result::Ok((made, gone))
    };
    match kept.await {
        Ok((made, gone)) if made.is_empty() && gone.is_empty() => {}
        Ok((made, gone)) => tracing::info!(?made, ?gone, "months of the log"),
        Err(fault) => tracing::warn!(%fault, "the months of the log are as they were, until the next sweep"),
    }
}

async fn forget_logs(app: &App, org: Uuid, before: Option<Timestamp>) -> Result<()> {
    let Some(before) = before else { return Ok(()) };
    while app.db.forget_logs_before(org, before).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn forget_reviews(app: &App, org: Uuid, before: Option<Timestamp>) -> Result<()> {
    let Some(before) = before else { return Ok(()) };
    while app.db.forget_reviews_before(org, before).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn forget_tickets(app: &App, org: Uuid, before: Option<Timestamp>) -> Result<()> {
    let Some(before) = before else { return Ok(()) };
    while app.db.forget_tickets_before(org, before).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn forget_events(app: &App, org: Uuid) -> Result<()> {
    let before = app.clock.now() - app.settings.event_retention;
    while app.db.forget_events_before(org, before).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn forget_trust(app: &App) -> Result<()> {
    while app.db.forget_trust(app.clock.now()).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn forget_challenges(app: &App) -> Result<()> {
    while app.db.forget_challenges_before(app.clock.now() - LATE_ANSWERS).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}

async fn forget_audit(app: &App, org: Uuid, before: Option<Timestamp>) -> Result<()> {
    let Some(before) = before else { return Ok(()) };
    while app.db.forget_audit_before(org, before).await? > 0 {
        sleep(PAUSE).await;
    }
    Ok(())
}
