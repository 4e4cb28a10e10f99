//! Any receiver of JSON, signed as Standard Webhooks describes. Repetitions carry the same `webhook-id`, which that says to
//! tell them by, and the same `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).

use guardengine_store::{External, Ticket};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Attempted, Failure, Job, refused};
use crate::connectors::webhook::message;

const LONGEST: usize = 500;

pub async fn raise(job: &Job<'_>) -> Result<External, Failure> {
    let answer = send(job, "ticket.raised", job.ticket.id).await?;
    // A receiver may say what it made of it.
    let text = |field: &str| Some(answer[field].as_str()?.to_owned()).filter(|text| is_told(text));
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
    Ok(sent.map_err(|fault| refused(fault, |_| "the message is not accepted".to_owned()))?.json())
}

/// The facts by name, beside what the policy asks for.
fn data(job: &Job<'_>, ticket: Uuid) -> Value {
    let content = job.content;
    let facts: Map<String, Value> =
        content.facts.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    json!({
        "ticket_id": ticket,
        "reference": job.reference(),
        "title": content.title,
        "facts": facts,
        "text": content.text,
        "priority": content.priority,
        "labels": content.labels,
        "fields": content.fields,
    })
}

fn is_told(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= LONGEST && !text.chars().any(char::is_control)
}
