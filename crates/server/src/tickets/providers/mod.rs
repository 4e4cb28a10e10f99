//! The systems that tickets are raised in, each as its vendor documents it.
//!
//! None of them can be asked to do a thing once: whatever is tried again is looked for first, by the [reference](Job::reference)
//! that every ticket and comment carries.

mod adf;
mod jira;
mod servicenow;
mod webhook;

use std::time::Duration;

use guardengine_egress::{EgressClient, Error, Request, Response};
use guardengine_engine::fields::Invalid;
use guardengine_store::{External, Ticket, Timestamp};

use super::{content::Content, template::Template};
use crate::connectors::OpenConnector;

/// How long each request of an attempt may take.
pub const DEADLINE: Duration = Duration::from_secs(10);

/// Why an attempt failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The call.
    #[error(transparent)]
    Call(#[from] Error),
    /// It was refused for what it holds, and will be again.
    #[error("it answered {status}: {what}")]
    Refused {
        /// The status.
        status: u16,
        /// What is not accepted, in our words.
        what: String,
    },
    /// It said yes, and not what it made.
    #[error("its answer is not the documented one")]
    Unreadable,
}

/// What became of an attempt.
#[derive(Debug, PartialEq, Eq)]
pub enum Attempted {
    /// It is there.
    Arrived(External),
    /// The ticket that it was to comment on is closed, or gone.
    Closed,
}

/// A ticket or comment that is being sent.
pub struct Job<'a> {
    /// The way there.
    pub outgoing: &'a EgressClient,
    /// Through which connector.
    pub connector: &'a OpenConnector,
    /// As it is queued.
    pub ticket: &'a Ticket,
    /// What is sent.
    pub content: &'a Content,
    /// The time.
    pub now: Timestamp,
}

impl Job<'_> {
    /// What it is found by in the other system.
    pub fn reference(&self) -> String {
        format!("guardengine-{}", self.ticket.id.simple())
    }

    /// Whether an attempt was begun before, of which nobody knows how it ended.
    const fn may_be_there(&self) -> bool {
        self.ticket.attempts > 1
    }

    fn text(&self, field: &str) -> &str {
        self.connector.text(field)
    }

    async fn send(&self, request: Request) -> Result<Response, Error> {
        let request = request.header("accept", "application/json").within(DEADLINE);
        self.outgoing.send(request).await
    }

    /// Raises the ticket, unless it is there.
    pub async fn raise(&self) -> Result<External, Failure> {
        match self.connector.kind.name {
            "jira" => jira::raise(self).await,
            "servicenow" => servicenow::raise(self).await,
            _ => webhook::raise(self).await,
        }
    }

    /// Comments on `parent`, unless the comment is there.
    pub async fn comment(&self, parent: &Ticket) -> Result<Attempted, Failure> {
        let there = External {
            id: parent.external_id.clone(),
            key: parent.external_key.clone(),
            url: parent.external_url.clone(),
        };
        match self.connector.kind.name {
            "jira" => jira::comment(self, there).await,
            "servicenow" => servicenow::comment(self, there).await,
            _ => webhook::comment(self, parent, there).await,
        }
    }

    /// Whether the system shows what it made only a while later, to those who search for it.
    pub fn search_delay(&self) -> bool {
        self.connector.kind.name == "jira"
    }
}

/// What a template asks for that the system has not, or that every ticket says itself.
pub fn foreign_to(system: &str, template: &Template) -> Option<Invalid> {
    let own: &[&str] = match system {
        "jira" => &jira::OWN,
        "servicenow" => &servicenow::OWN,
        _ => &[],
    };
    if system == "servicenow" && !template.labels.is_empty() {
        return Some(Invalid::value("labels", "must be empty: ServiceNow has no labels"));
    }
    let taken = own.iter().find(|name| template.fields.contains_key(**name))?;
    Some(Invalid::value(format!("fields.{taken}"), "must not be set: every ticket says it itself"))
}

/// A refusal that no repetition changes, where the call had one: the status that says so.
fn refusal(fault: &Error) -> Option<u16> {
    fault.status().filter(|status| matches!(status, 400 | 413 | 422))
}

/// That fault, or a refusal of what is named.
fn refused(fault: Error, what: impl FnOnce(&Error) -> String) -> Failure {
    match refusal(&fault) {
        Some(status) => Failure::Refused { status, what: what(&fault) },
        None => fault.into(),
    }
}
