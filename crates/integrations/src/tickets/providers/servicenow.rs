//! Tickets in ServiceNow, over the Table API: <https://www.servicenow.com/docs/r/api-reference/rest-apis/c_TableAPI.html>
//!
//! `POST /api/now/table/{table}` returns 201 with the record under `result`; `PATCH …/{sys_id}` changes it. A task's
//! `correlation_id` holds the id of a record in another system. `work_notes` is a journal: writes append to it, and its
//! display value returns the entries.

use guardengine_egress::{Request, join_path};
use guardengine_store::ExternalTicket;
use serde_json::{Value, json};

use super::{Attempted, Failure, Job, refused};
use crate::tickets::variables::{cut, line};

/// Fields that a template must not set.
pub const RESERVED_FIELDS: [&str; 5] =
    ["short_description", "description", "correlation_id", "correlation_display", "work_notes"];
/// Lengths of `short_description` and `description` on a task, as the platform ships.
const MAX_SHORT_CHARS: usize = 160;
const MAX_DESCRIPTION_CHARS: usize = 4_000;

pub async fn raise(job: &Job<'_>) -> Result<ExternalTicket, Failure> {
    if job.may_exist()
        && let Some(found) = find(job).await?
    {
        return Ok(found);
    }
    let body = record(job).to_string();
    let response =
        job.send(request(Request::post(id(job), format!("{}?{FIELDS}", table(job, &[])), body), job)).await;
    let response = response.map_err(|error| refused(error, |_| "the record was refused".to_owned()))?.json();
    external(job, &response["result"]).ok_or(Failure::Unreadable)
}

pub async fn comment(job: &Job<'_>, on: ExternalTicket) -> Result<Attempted, Failure> {
    let Some(record) = on.id.as_deref() else { return Ok(Attempted::Closed) };
    let Some(current) = read_record(job, record).await? else { return Ok(Attempted::Closed) };
    if current["active"] == "false" {
        return Ok(Attempted::Closed);
    }
    let is_noted = || current["work_notes"].as_str().is_some_and(|notes| notes.contains(&job.reference()));
    if job.may_exist() && is_noted() {
        return Ok(Attempted::Arrived(on));
    }
    let note = json!({ "work_notes": text(job, &format!("Again. {}", job.content.title)) }).to_string();
    let patch = Request::patch(id(job), format!("{}?{FIELDS}", table(job, &[record])), note);
    let response = job.send(request(patch, job)).await;
    response.map_err(|error| refused(error, |_| "the note was refused".to_owned()))?;
    Ok(Attempted::Arrived(on))
}

const FIELDS: &str = "sysparm_fields=sys_id,number";

fn id(job: &Job<'_>) -> uuid::Uuid {
    job.connector.stored.id
}

fn table(job: &Job<'_>, below: &[&str]) -> String {
    let table = join_path(job.text("instance_url"), &["api", "now", "table", job.text("table")]);
    join_path(&table, below)
}

fn request(request: Request, job: &Job<'_>) -> Request {
    request.basic(job.text("username"), job.text("password"))
}

/// Builds the record: reserved fields override the policy's fields. Tables ignore fields without a column.
fn record(job: &Job<'_>) -> Value {
    let content = job.content;
    let mut record = serde_json::Map::new();
    if let Some(priority) = &content.priority {
        record.insert("priority".to_owned(), priority.clone().into());
    }
    record.extend(content.fields.clone());
    let reserved = json!({
        "short_description": line(&content.title, MAX_SHORT_CHARS),
        "description": text(job, &content.title),
        "correlation_id": job.reference(),
        "correlation_display": "guardengine",
    });
    record.extend(reserved.as_object().cloned().unwrap_or_default());
    Value::Object(record)
}

/// Finds the record that carries the reference.
async fn find(job: &Job<'_>) -> Result<Option<ExternalTicket>, Failure> {
    let query = format!("sysparm_query=correlation_id%3D{}&sysparm_limit=1&{FIELDS}", job.reference());
    let found =
        job.send(request(Request::get(id(job), format!("{}?{query}", table(job, &[]))), job)).await?.json();
    let records = found["result"].as_array().ok_or(Failure::Unreadable)?;
    Ok(records.first().and_then(|record| external(job, record)))
}

/// Reads the display values of a record. Returns `None` if it was deleted.
async fn read_record(job: &Job<'_>, record: &str) -> Result<Option<Value>, Failure> {
    let query = "sysparm_display_value=true&sysparm_fields=active,work_notes";
    match job.send(request(Request::get(id(job), format!("{}?{query}", table(job, &[record]))), job)).await {
        Ok(answer) => Ok(Some(answer.json()["result"].clone())),
        Err(error) if error.status() == Some(404) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn external(job: &Job<'_>, record: &Value) -> Option<ExternalTicket> {
    let id = record["sys_id"].as_str()?;
    // Tables that do not extend the task table have no numbers.
    let key = record["number"].as_str().filter(|number| !number.is_empty()).unwrap_or(id);
    let page = join_path(job.text("instance_url"), &[&format!("{}.do", job.text("table"))]);
    let url = Some(format!("{page}?sys_id={id}"));
    Some(ExternalTicket { id: Some(id.to_owned()), key: Some(key.to_owned()), url })
}

fn text(job: &Job<'_>, intro: &str) -> String {
    let reference = format!("Reference: {}", job.reference());
    // The reference comes first, so that truncation never removes it.
    let mut lines = vec![intro.to_owned(), reference];
    lines.extend(job.content.lines());
    let facts = escape_code_tags(&lines.join("\n"));
    let quoted = job.content.text.as_deref().map(|text| format!("\n\n{}", escape_code_tags(text)));
    cut(&(facts + &quoted.unwrap_or_default()), MAX_DESCRIPTION_CHARS)
}

/// Breaks up `[code]` tags, because journals render their content as HTML.
fn escape_code_tags(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        escaped.push(letter);
        let rest = &text[at + letter.len_utf8()..];
        let begins = |tag: &str| rest.get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag));
        if letter == '[' && (begins("code]") || begins("/code]")) {
            escaped.push(' ');
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_never_become_html() {
        assert_eq!(escape_code_tags("a [code]<b>[/CODE] [Code ["), "a [ code]<b>[ /CODE] [Code [");
        assert_eq!(escape_code_tags("[äcode] [é"), "[äcode] [é");
    }
}
