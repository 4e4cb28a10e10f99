//! One delivery attempt for a claimed ticket, and its result.

use std::time::Duration;

use guardengine_egress::Error;
use guardengine_store::{ExternalTicket, Result, RetryLater, Ticket, Timestamp};

use super::{
    content::Content,
    providers::{Attempted, Failure, Job},
};
use crate::{
    app::App,
    backoff::wait,
    connectors::{OpenConnector, describe_error, is_connector_error, open, record_check},
};

/// Longest delay between two attempts.
const MAX_RETRY_DELAY: Duration = Duration::from_hours(1);

/// Result of an attempt.
enum End {
    Arrived(ExternalTicket),
    /// The ticket to comment on is closed.
    Closed,
    /// The attempt is repeated.
    Retry(Retry),
    /// The ticket fails for good.
    Failed(String),
}

/// Delay and reason of a repeated attempt.
struct Retry {
    error: String,
    /// Earliest delay.
    min_delay: Option<Duration>,
    counts: bool,
}

impl Retry {
    fn counted(error: impl Into<String>) -> Self {
        Self { error: error.into(), min_delay: None, counts: true }
    }
}

/// Makes one attempt and stores the result.
pub async fn attempt(app: &App, ticket: &Ticket) -> Result<()> {
    let end = deliver(app, ticket).await?;
    let now = app.clock.now();
    match end {
        End::Arrived(external) => {
            if app.db.complete_ticket(ticket, &external, now).await? {
                metrics::histogram!("guardengine_ticket_delay_seconds").record(now.since(ticket.created_at));
                count(ticket, if ticket.parent_id.is_some() { "commented" } else { "sent" });
            }
        }
        End::Closed => {
            let joins_since = now - app.settings.tickets.window;
            app.db.reopen_as_new_ticket(ticket, joins_since, now).await?;
        }
        End::Retry(retry) => reschedule(app, ticket, &retry, now).await?,
        End::Failed(error) => fail(app, ticket, &error, now).await?,
    }
    Ok(())
}

async fn deliver(app: &App, ticket: &Ticket) -> Result<End> {
    let Some(stored) = app.db.connector(ticket.org_id, ticket.connector_id).await? else {
        return Ok(End::Failed("the connector was deleted".to_owned()));
    };
    if !stored.enabled {
        return Ok(End::Retry(Retry::counted("the connector is disabled")));
    }
    let connector = match open(&app.vault, stored).await {
        Ok(connector) => connector,
        Err(error) => {
            tracing::warn!(%error, connector = %ticket.connector_id, "could not decrypt a connector");
            return Ok(End::Retry(Retry::counted("the connector's secrets cannot be decrypted")));
        }
    };
    let Ok(content) = serde_json::from_str::<Content>(&ticket.content) else {
        return Ok(End::Failed("the stored ticket cannot be read".to_owned()));
    };
    let (outgoing, now) = (&app.egress, app.clock.now());
    let job = Job { outgoing, connector: &connector, ticket, content: &content, now };
    let outcome = create_or_comment(app, &job).await?;
    // The ticket has arrived even if this fails.
    if let Err(error) = update_connector(app, &connector, &outcome).await {
        tracing::warn!(%error, connector = %ticket.connector_id, "could not store the status of a connector after an attempt");
    }
    Ok(outcome.map_or_else(
        |failure| classify(app, &job, failure),
        |attempted| match attempted {
            Attempted::Arrived(external) => End::Arrived(external),
            Attempted::Closed => End::Closed,
        },
    ))
}

async fn create_or_comment(app: &App, job: &Job<'_>) -> Result<std::result::Result<Attempted, Failure>> {
    let Some(parent) = job.ticket.parent_id else { return Ok(job.raise().await.map(Attempted::Arrived)) };
    let parent = app.db.ticket(job.ticket.org_id, parent).await?.filter(|parent| parent.state == "sent");
    Ok(match parent {
        Some(parent) => job.comment(&parent).await,
        None => Ok(Attempted::Closed),
    })
}

/// Updates the connector's status from the outcome. A refusal of the ticket says nothing about the connector.
async fn update_connector(
    app: &App,
    connector: &OpenConnector,
    outcome: &std::result::Result<Attempted, Failure>,
) -> Result<()> {
    let error = match outcome {
        Ok(_) if connector.stored.status == "active" => return Ok(()),
        Ok(_) => None,
        Err(Failure::Call(error)) if is_connector_error(error) => Some(describe_error(error)),
        Err(_) => return Ok(()),
    };
    record_check(app, &connector.stored, error.as_deref()).await.map(drop)
}

fn classify(app: &App, job: &Job<'_>, failure: Failure) -> End {
    let error = match &failure {
        Failure::Call(error) => describe_error(error),
        other => other.to_string(),
    };
    let mut retry = Retry::counted(error);
    match failure {
        Failure::Refused { .. } => return End::Failed(retry.error),
        Failure::Call(Error::CircuitOpen(rest)) => (retry.min_delay, retry.counts) = (Some(rest), false),
        Failure::Call(Error::Busy) => retry.counts = false,
        Failure::Call(Error::Status(answer)) if answer.status < 500 => retry.min_delay = answer.retry_after(),
        // The ticket may have been created. The next attempt searches for it, after search results have caught up.
        failure => {
            let retry_after = match failure {
                Failure::Call(Error::Status(answer)) => answer.retry_after(),
                _ => None,
            };
            let settling = app.settings.tickets.settling;
            let search_delay = (job.has_search_delay() && job.ticket.parent_id.is_none()).then_some(settling);
            retry.min_delay = retry_after.max(search_delay);
        }
    }
    End::Retry(retry)
}

async fn reschedule(app: &App, ticket: &Ticket, retry: &Retry, now: Timestamp) -> Result<()> {
    let failures = ticket.failures + i64::from(retry.counts);
    if failures >= i64::from(app.settings.tickets.attempts) {
        return fail(app, ticket, &retry.error, now).await;
    }
    let retry_at = now + wait(failures, MAX_RETRY_DELAY, retry.min_delay, rand::random());
    let postponed = RetryLater { retry_at, error: &retry.error, counts: retry.counts };
    if app.db.reschedule_ticket(ticket, postponed, now).await? {
        count(ticket, "put_off");
    }
    Ok(())
}

async fn fail(app: &App, ticket: &Ticket, error: &str, now: Timestamp) -> Result<()> {
    if app.db.fail_ticket(ticket, error, now).await? {
        tracing::warn!(ticket = %ticket.id, organisation = %ticket.org_id, error, "ticket failed for good");
        count(ticket, "dead");
    }
    Ok(())
}

fn count(ticket: &Ticket, outcome: &'static str) {
    let system = ticket.system.clone();
    metrics::counter!("guardengine_tickets_total", "system" => system, "outcome" => outcome).increment(1);
}
