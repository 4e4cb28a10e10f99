//! One attempt at a claimed ticket, and what follows from it.

use std::time::Duration;

use guardengine_egress::Error;
use guardengine_store::{External, PutOff, Result, Ticket, Timestamp};

use super::{
    content::Content,
    providers::{Attempted, Failure, Job},
};
use crate::{
    app::App,
    backoff::wait,
    connectors::{OpenConnector, describe_error, is_connector_error, open, record_check},
};

/// Between two attempts.
const LONGEST_WAIT: Duration = Duration::from_hours(1);

/// How an attempt ended.
enum End {
    Arrived(External),
    /// The ticket that it was to comment on is closed.
    Closed,
    /// It is tried again.
    Later(Later),
    /// It is not.
    Never(String),
}

/// When it is tried again, and why.
struct Later {
    error: String,
    /// Not before that.
    asks: Option<Duration>,
    counts: bool,
}

impl Later {
    fn counted(error: impl Into<String>) -> Self {
        Self { error: error.into(), asks: None, counts: true }
    }
}

/// Makes the attempt and keeps what became of it.
pub async fn attempt(app: &App, ticket: &Ticket) -> Result<()> {
    let end = attempted(app, ticket).await?;
    let now = app.clock.now();
    match end {
        End::Arrived(external) => {
            if app.db.settle_ticket(ticket, &external, now).await? {
                metrics::histogram!("guardengine_ticket_delay_seconds").record(now.since(ticket.created_at));
                count(ticket, if ticket.parent_id.is_some() { "commented" } else { "sent" });
            }
        }
        End::Closed => {
            let joins_since = now - app.settings.tickets.window;
            app.db.raise_ticket_anew(ticket, joins_since, now).await?;
        }
        End::Later(later) => put_off(app, ticket, &later, now).await?,
        End::Never(error) => give_up(app, ticket, &error, now).await?,
    }
    Ok(())
}

async fn attempted(app: &App, ticket: &Ticket) -> Result<End> {
    let Some(stored) = app.db.connector(ticket.org_id, ticket.connector_id).await? else {
        return Ok(End::Never("the connector was deleted".to_owned()));
    };
    if !stored.enabled {
        return Ok(End::Later(Later::counted("the connector is disabled")));
    }
    let connector = match open(&app.vault, stored).await {
        Ok(connector) => connector,
        Err(fault) => {
            tracing::warn!(%fault, connector = %ticket.connector_id, "a connector does not open");
            return Ok(End::Later(Later::counted("the connector's secrets do not open")));
        }
    };
    let Ok(content) = serde_json::from_str::<Content>(&ticket.content) else {
        return Ok(End::Never("what was to be sent cannot be read".to_owned()));
    };
    let (outgoing, now) = (&app.egress, app.clock.now());
    let job = Job { outgoing, connector: &connector, ticket, content: &content, now };
    let ended = made(app, &job).await?;
    // What arrived has arrived, whatever becomes of this.
    if let Err(fault) = tell(app, &connector, &ended).await {
        tracing::warn!(%fault, connector = %ticket.connector_id, "what a ticket told of its connector is not kept");
    }
    Ok(ended.map_or_else(
        |failure| end(app, &job, failure),
        |done| match done {
            Attempted::Arrived(external) => End::Arrived(external),
            Attempted::Closed => End::Closed,
        },
    ))
}

async fn made(app: &App, job: &Job<'_>) -> Result<std::result::Result<Attempted, Failure>> {
    let Some(parent) = job.ticket.parent_id else { return Ok(job.raise().await.map(Attempted::Arrived)) };
    let parent = app.db.ticket(job.ticket.org_id, parent).await?.filter(|parent| parent.state == "sent");
    Ok(match parent {
        Some(parent) => job.comment(&parent).await,
        None => Ok(Attempted::Closed),
    })
}

/// What was found out about the connector in passing; an answer about the ticket says nothing of it.
async fn tell(
    app: &App,
    connector: &OpenConnector,
    ended: &std::result::Result<Attempted, Failure>,
) -> Result<()> {
    let error = match ended {
        Ok(_) if connector.stored.status == "active" => return Ok(()),
        Ok(_) => None,
        Err(Failure::Call(fault)) if is_connector_error(fault) => Some(describe_error(fault)),
        Err(_) => return Ok(()),
    };
    record_check(app, &connector.stored, error.as_deref()).await.map(drop)
}

fn end(app: &App, job: &Job<'_>, failure: Failure) -> End {
    let error = match &failure {
        Failure::Call(fault) => describe_error(fault),
        other => other.to_string(),
    };
    let mut later = Later::counted(error);
    match failure {
        Failure::Refused { .. } => return End::Never(later.error),
        Failure::Call(Error::Resting(rest)) => (later.asks, later.counts) = (Some(rest), false),
        Failure::Call(Error::Busy) => later.counts = false,
        Failure::Call(Error::Status(answer)) if answer.status < 500 => later.asks = answer.retry_after(),
        // Nobody knows whether it was made: what is looked for first must have had the time to show.
        failure => {
            let asked = match failure {
                Failure::Call(Error::Status(answer)) => answer.retry_after(),
                _ => None,
            };
            let settling = app.settings.tickets.settling;
            let settling = (job.search_delay() && job.ticket.parent_id.is_none()).then_some(settling);
            later.asks = asked.max(settling);
        }
    }
    End::Later(later)
}

async fn put_off(app: &App, ticket: &Ticket, later: &Later, now: Timestamp) -> Result<()> {
    let failures = ticket.failures + i64::from(later.counts);
    if failures >= i64::from(app.settings.tickets.attempts) {
        return give_up(app, ticket, &later.error, now).await;
    }
    let until = now + wait(failures, LONGEST_WAIT, later.asks, rand::random());
    let why = PutOff { until, error: &later.error, counts: later.counts };
    if app.db.put_off_ticket(ticket, why, now).await? {
        count(ticket, "put_off");
    }
    Ok(())
}

async fn give_up(app: &App, ticket: &Ticket, error: &str, now: Timestamp) -> Result<()> {
    if app.db.give_up_ticket(ticket, error, now).await? {
        tracing::warn!(ticket = %ticket.id, organisation = %ticket.org_id, error, "a ticket is given up");
        count(ticket, "dead");
    }
    Ok(())
}

fn count(ticket: &Ticket, outcome: &'static str) {
    let system = ticket.system.clone();
    metrics::counter!("guardengine_tickets_total", "system" => system, "outcome" => outcome).increment(1);
}
