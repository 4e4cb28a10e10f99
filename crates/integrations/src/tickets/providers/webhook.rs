//! Tickets as webhook messages, signed according to Standard Webhooks. Repeated messages carry the same `webhook-id`, which
//! the specification uses for deduplication, and the same `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).

use guardengine_store::{External, Ticket};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Attempted, Failure, Job, refused};
use crate::webhooks::message;

const MAX_CHARS: usize = 500;

pub async fn raise(job: &Job<'_>) -> Result<External, Failure> {
    let response = send(job, "ticket.raised", job.ticket.id).await?;
    // The receiver may return the key and URL of the ticket that it created.
    let text = |field: &str| Some(response[field].as_str()?.to_owned()).filter(|text| is_printable(text));
    let url = text("url").filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    Ok(External { id: None, key: text("key"), url })
}

pub async fn comment(job: &Job<'_>, parent: &Ticket, on: External) -> Result<Attempted, Failure> {
    send(job, "ticket.commented", parent.id).await?;
    Ok(Attempted::Arrived(on))
}

async fn send(job: &Job<'_>, kind: &str, ticket: Uuid) -> Result<Value, Failure> {
    let id = job.ticket.id.simple().to_string();
    let request = message(job.connector, &format!("msg_{id}"), kind, &data(job, ticket), job.now);
    let sent = job.send(request.header("idempotency-key", job.reference())).await;
    Ok(sent.map_err(|error| refused(error, |_| "the message was refused".to_owned()))?.json())
}

/// Builds the message data: variables by name, and the fields of the policy.
fn data(job: &Job<'_>, ticket: Uuid) -> Value {
    let content = job.content;
    let variables: Map<String, Value> =
        content.variables.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    json!({
        "ticket_id": ticket,
        "reference": job.reference(),
        "title": content.title,
        "facts": variables,
        "text": content.text,
        "priority": content.priority,
        "labels": content.labels,
        "fields": content.fields,
    })
}

fn is_printable(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= MAX_CHARS && !text.chars().any(char::is_control)
}
