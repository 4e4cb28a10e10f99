//! Ticket systems, each used as its vendor documents it.
//!
//! None of them supports idempotent requests. Before a repeated attempt the system is searched for the
//! [reference](Job::reference) that every ticket and comment carries.

mod adf;
mod jira;
mod servicenow;
mod webhook;

use std::time::Duration;

use guardengine_egress::{EgressClient, Error, Request, Response};
use guardengine_engine::fields::FieldError;
use guardengine_store::{ExternalTicket, Ticket, Timestamp};

use super::{content::Content, template::Template};
use crate::connectors::OpenConnector;

/// Longest time for each request of an attempt.
pub const DEADLINE: Duration = Duration::from_secs(10);

/// Error of an attempt.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The request failed.
    #[error(transparent)]
    Call(#[from] Error),
    /// The system refused the content; repeating the attempt does not help.
    #[error("it answered {status}: {what}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// Description of what was refused, in our words.
        what: String,
    },
    /// The system accepted the ticket but did not return it.
    #[error("the response does not have the documented format")]
    Unreadable,
}

/// Result of a successful attempt.
#[derive(Debug, PartialEq, Eq)]
pub enum Attempted {
    /// The ticket or comment exists.
    Arrived(ExternalTicket),
    /// The ticket to comment on is closed or deleted.
    Closed,
}

/// A ticket or comment to send.
pub struct Job<'a> {
    /// HTTP client.
    pub outgoing: &'a EgressClient,
    /// Connector of the ticket system.
    pub connector: &'a OpenConnector,
    /// The queued ticket.
    pub ticket: &'a Ticket,
    /// Content of the ticket.
    pub content: &'a Content,
    /// Current time.
    pub now: Timestamp,
}

impl Job<'_> {
    /// Returns the reference that identifies the ticket in the other system.
    pub fn reference(&self) -> String {
        format!("guardengine-{}", self.ticket.id.simple())
    }

    /// Returns true if an earlier attempt may have created the ticket.
    const fn may_exist(&self) -> bool {
        self.ticket.attempts > 1
    }

    fn text(&self, field: &str) -> &str {
        self.connector.text(field)
    }

    async fn send(&self, request: Request) -> Result<Response, Error> {
        let request = request.header("accept", "application/json").within(DEADLINE);
        self.outgoing.send(request).await
    }

    /// Creates the ticket unless it exists.
    pub async fn raise(&self) -> Result<ExternalTicket, Failure> {
        match self.connector.kind.name {
            "jira" => jira::raise(self).await,
            "servicenow" => servicenow::raise(self).await,
            _ => webhook::raise(self).await,
        }
    }

    /// Comments on `parent` unless the comment exists.
    pub async fn comment(&self, parent: &Ticket) -> Result<Attempted, Failure> {
        let target = ExternalTicket {
            id: parent.external_id.clone(),
            key: parent.external_key.clone(),
            url: parent.external_url.clone(),
        };
        match self.connector.kind.name {
            "jira" => jira::comment(self, target).await,
            "servicenow" => servicenow::comment(self, target).await,
            _ => webhook::comment(self, parent, target).await,
        }
    }

    /// Returns true if search results lag behind new tickets.
    pub fn has_search_delay(&self) -> bool {
        self.connector.kind.name == "jira"
    }
}

/// Returns an error if the template sets something that the system lacks, or a reserved field.
pub fn foreign_to(system: &str, template: &Template) -> Option<FieldError> {
    let reserved: &[&str] = match system {
        "jira" => &jira::RESERVED_FIELDS,
        "servicenow" => &servicenow::RESERVED_FIELDS,
        _ => &[],
    };
    if system == "servicenow" && !template.labels.is_empty() {
        return Some(FieldError::value("labels", "must be empty: ServiceNow has no labels"));
    }
    let taken = reserved.iter().find(|name| template.fields.contains_key(**name))?;
    Some(FieldError::value(format!("fields.{taken}"), "must not be set: the service fills it in"))
}

/// Returns the status of an error that a repeated attempt would not change.
fn permanent_status(error: &Error) -> Option<u16> {
    error.status().filter(|status| matches!(status, 400 | 413 | 422))
}

/// Converts a permanent error to a refusal with the reason `what`. Keeps other errors.
fn refused(error: Error, what: impl FnOnce(&Error) -> String) -> Failure {
    match permanent_status(&error) {
        Some(status) => Failure::Refused { status, what: what(&error) },
        None => error.into(),
    }
}
