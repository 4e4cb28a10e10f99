//! ServiceNow, Table API: https://www.servicenow.com/docs/r/api-reference/rest-apis/c_TableAPI.html
//!
//! `POST /api/now/table/{table}` answers 201 with the record under `result`; `PATCH …/{sys_id}` changes it. A task's
//! `correlation_id` is meant for the id of a record in another system. `work_notes` is a journal: what is written is added,
//! and what it holds is read as its display value.

use guardengine_egress::{Request, join_path};
use guardengine_store::External;
use serde_json::{Value, json};

use super::{Attempted, Failure, Job, refused};
use crate::tickets::variables::{cut, line};

/// Fields that every ticket says itself.
pub const OWN: [&str; 5] =
    ["short_description", "description", "correlation_id", "correlation_display", "work_notes"];
/// Of `short_description` and `description` on a task, as the platform ships.
const LONGEST_SHORT: usize = 160;
const LONGEST: usize = 4_000;

pub async fn raise(job: &Job<'_>) -> Result<External, Failure> {
    if job.may_be_there()
        && let Some(found) = find(job).await?
    {
        return Ok(found);
    }
    let body = record(job).to_string();
    let made =
        job.send(request(Request::post(id(job), format!("{}?{FIELDS}", table(job, &[])), body), job)).await;
    let made = made.map_err(|fault| refused(fault, |_| "the record is not accepted".to_owned()))?.json();
    external(job, &made["result"]).ok_or(Failure::Unreadable)
}

pub async fn comment(job: &Job<'_>, on: External) -> Result<Attempted, Failure> {
    let Some(record) = on.id.as_deref() else { return Ok(Attempted::Closed) };
    let Some(held) = held(job, record).await? else { return Ok(Attempted::Closed) };
    if held["active"] == "false" {
        return Ok(Attempted::Closed);
    }
    let is_there = || held["work_notes"].as_str().is_some_and(|notes| notes.contains(&job.reference()));
    if job.may_be_there() && is_there() {
        return Ok(Attempted::Arrived(on));
    }
    let note = json!({ "work_notes": text(job, &format!("Again. {}", job.content.title)) }).to_string();
    let patch = Request::patch(id(job), format!("{}?{FIELDS}", table(job, &[record])), note);
    let made = job.send(request(patch, job)).await;
    made.map_err(|fault| refused(fault, |_| "the note is not accepted".to_owned()))?;
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

/// Own fields over the policy's. A table takes what it has a column for, and leaves out the rest.
fn record(job: &Job<'_>) -> Value {
    let content = job.content;
    let mut record = serde_json::Map::new();
    if let Some(priority) = &content.priority {
        record.insert("priority".to_owned(), priority.clone().into());
    }
    record.extend(content.fields.clone());
    let own = json!({
        "short_description": line(&content.title, LONGEST_SHORT),
        "description": text(job, &content.title),
        "correlation_id": job.reference(),
        "correlation_display": "guardengine",
    });
    record.extend(own.as_object().cloned().unwrap_or_default());
    Value::Object(record)
}

/// The record that carries the reference.
async fn find(job: &Job<'_>) -> Result<Option<External>, Failure> {
    let query = format!("sysparm_query=correlation_id%3D{}&sysparm_limit=1&{FIELDS}", job.reference());
    let found =
        job.send(request(Request::get(id(job), format!("{}?{query}", table(job, &[]))), job)).await?.json();
    let records = found["result"].as_array().ok_or(Failure::Unreadable)?;
    Ok(records.first().and_then(|record| external(job, record)))
}

/// A record as people see it; `None` where there is none any more.
async fn held(job: &Job<'_>, record: &str) -> Result<Option<Value>, Failure> {
    let query = "sysparm_display_value=true&sysparm_fields=active,work_notes";
    match job.send(request(Request::get(id(job), format!("{}?{query}", table(job, &[record]))), job)).await {
        Ok(answer) => Ok(Some(answer.json()["result"].clone())),
        Err(fault) if fault.status() == Some(404) => Ok(None),
        Err(fault) => Err(fault.into()),
    }
}

fn external(job: &Job<'_>, record: &Value) -> Option<External> {
    let id = record["sys_id"].as_str()?;
    // Tables that are no tasks have no numbers.
    let key = record["number"].as_str().filter(|number| !number.is_empty()).unwrap_or(id);
    let page = join_path(job.text("instance_url"), &[&format!("{}.do", job.text("table"))]);
    let url = Some(format!("{page}?sys_id={id}"));
    Some(External { id: Some(id.to_owned()), key: Some(key.to_owned()), url })
}

fn text(job: &Job<'_>, begin: &str) -> String {
    let reference = format!("Reference: {}", job.reference());
    // What is cut off at the end must not be what it is found by.
    let mut lines = vec![begin.to_owned(), reference];
    lines.extend(job.content.lines());
    let told = plain(&lines.join("\n"));
    let quoted = job.content.text.as_deref().map(|text| format!("\n\n{}", plain(text)));
    cut(&(told + &quoted.unwrap_or_default()), LONGEST)
}

/// Journals show what stands in `[code]…[/code]` as HTML.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        plain.push(letter);
        let rest = &text[at + letter.len_utf8()..];
        let begins = |tag: &str| rest.get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag));
        if letter == '[' && (begins("code]") || begins("/code]")) {
            plain.push(' ');
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_html() {
        assert_eq!(plain("a [code]<b>[/CODE] [Code ["), "a [ code]<b>[ /CODE] [Code [");
        assert_eq!(plain("[äcode] [é"), "[äcode] [é");
    }
}
