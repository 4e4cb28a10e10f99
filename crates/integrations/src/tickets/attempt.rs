//! One delivery attempt for a claimed ticket, and its result.

use std::time::Duration;

use guardengine_egress::{Error, backoff::wait};
use guardengine_store::{ExternalTicket, Result, RetryLater, Ticket, Timestamp};

use super::{
    content::Content,
    providers::{Attempted, Failure, Job},
};
use crate::{
    Integrations,
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
pub async fn attempt(integrations: &Integrations, ticket: &Ticket) -> Result<()> {
    let end = deliver(integrations, ticket).await?;
    let now = integrations.clock.now();
    match end {
        End::Arrived(external) => {
            if integrations.db.complete_ticket(ticket, &external, now).await? {
                metrics::histogram!("guardengine_ticket_delay_seconds").record(now.since(ticket.created_at));
                count(ticket, if ticket.parent_id.is_some() { "commented" } else { "sent" });
            }
        }
        End::Closed => {
            let joins_since = now - integrations.tickets.window;
            integrations.db.reopen_as_new_ticket(ticket, joins_since, now).await?;
        }
        End::Retry(retry) => reschedule(integrations, ticket, &retry, now).await?,
        End::Failed(error) => fail(integrations, ticket, &error, now).await?,
    }
    Ok(())
}

async fn deliver(integrations: &Integrations, ticket: &Ticket) -> Result<End> {
    let Some(stored) = integrations.db.connector(ticket.org_id, ticket.connector_id).await? else {
        return Ok(End::Failed("the connector was deleted".to_owned()));
    };
    if !stored.enabled {
        return Ok(End::Retry(Retry::counted("the connector is disabled")));
    }
    let connector = match open(&integrations.vault, stored).await {
        Ok(connector) => connector,
        Err(error) => {
            tracing::warn!(%error, connector = %ticket.connector_id, "could not decrypt a connector");
            return Ok(End::Retry(Retry::counted("the connector's secrets cannot be decrypted")));
        }
    };
    let Ok(content) = serde_json::from_str::<Content>(&ticket.content) else {
        return Ok(End::Failed("the stored ticket cannot be read".to_owned()));
    };
    let (outgoing, now) = (&integrations.egress, integrations.clock.now());
    let job = Job { outgoing, connector: &connector, ticket, content: &content, now };
    let outcome = create_or_comment(integrations, &job).await?;
    // The ticket has arrived even if this fails.
    if let Err(error) = update_connector(integrations, &connector, now, &outcome).await {
        tracing::warn!(%error, connector = %ticket.connector_id, "could not store the status of a connector after an attempt");
    }
    Ok(outcome.map_or_else(
        |failure| classify(integrations, &job, failure),
        |attempted| match attempted {
            Attempted::Arrived(external) => End::Arrived(external),
            Attempted::Closed => End::Closed,
        },
    ))
}

async fn create_or_comment(
    integrations: &Integrations,
    job: &Job<'_>,
) -> Result<std::result::Result<Attempted, Failure>> {
    let Some(parent) = job.ticket.parent_id else { return Ok(job.raise().await.map(Attempted::Arrived)) };
    let parent =
        integrations.db.ticket(job.ticket.org_id, parent).await?.filter(|parent| parent.state == "sent");
    Ok(match parent {
        Some(parent) => job.comment(&parent).await,
        None => Ok(Attempted::Closed),
    })
}

/// Updates the connector's status from the outcome. A refusal of the ticket says nothing about the connector.
async fn update_connector(
    integrations: &Integrations,
    connector: &OpenConnector,
    began: Timestamp,
    outcome: &std::result::Result<Attempted, Failure>,
) -> Result<()> {
    let error = match outcome {
        Ok(_) if connector.stored.status == "active" => return Ok(()),
        Ok(_) => None,
        Err(Failure::Call(error)) if is_connector_error(error) => Some(describe_error(error)),
        Err(_) => return Ok(()),
    };
    record_check(&integrations.db, began, &connector.stored, error.as_deref()).await.map(drop)
}

fn classify(integrations: &Integrations, job: &Job<'_>, failure: Failure) -> End {
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
            let settling = integrations.tickets.settling;
            let search_delay = (job.has_search_delay() && job.ticket.parent_id.is_none()).then_some(settling);
            retry.min_delay = retry_after.max(search_delay);
        }
    }
    End::Retry(retry)
}

async fn reschedule(
    integrations: &Integrations,
    ticket: &Ticket,
    retry: &Retry,
    now: Timestamp,
) -> Result<()> {
    let failures = ticket.failures + i64::from(retry.counts);
    if failures >= i64::from(integrations.tickets.attempts) {
        return fail(integrations, ticket, &retry.error, now).await;
    }
    let until = now + wait(failures, MAX_RETRY_DELAY, retry.min_delay, rand::random());
    let postponed = RetryLater { retry_at: until, error: &retry.error, counts: retry.counts };
    if integrations.db.reschedule_ticket(ticket, postponed, now).await? {
        count(ticket, "put_off");
    }
    Ok(())
}

async fn fail(integrations: &Integrations, ticket: &Ticket, error: &str, now: Timestamp) -> Result<()> {
    if integrations.db.fail_ticket(ticket, error, now).await? {
        tracing::warn!(ticket = %ticket.id, organisation = %ticket.org_id, error, "ticket failed for good");
        count(ticket, "dead");
    }
    Ok(())
}

fn count(ticket: &Ticket, outcome: &'static str) {
    let system = ticket.system.clone();
    metrics::counter!("guardengine_tickets_total", "system" => system, "outcome" => outcome).increment(1);
}
