//! Tickets in Jira Cloud, over REST API version 3.
//!
//! Sources, under <https://developer.atlassian.com/cloud/jira/platform/rest/v3/>: `api-group-issues` (create issue: `fields`
//! with `project.key`, `issuetype.name`, `summary`, `description` as a document, `labels`, `priority.name`; 201 with `id`,
//! `key`, `self`; 400 with `errors` by field), `api-group-issue-search` (`POST /search/jql`), `api-group-issue-comments`
//! (add a comment with `body` as a document; get comments, `-created` first, 100 at most), `api-group-status`.

use guardengine_egress::{Error, Request, join_path};
use guardengine_store::ExternalTicket;
use serde_json::{Value, json};

use super::{Attempted, Failure, Job, adf, refused};
use crate::tickets::variables::{cut, line};

/// Fields that a template must not set.
pub const RESERVED_FIELDS: [&str; 5] = ["project", "issuetype", "summary", "description", "labels"];
const MAX_SUMMARY_CHARS: usize = 255;
const MAX_LABEL_CHARS: usize = 255;
/// Number of newest comments to search for an earlier one of ours.
const MAX_COMMENTS: usize = 100;
/// Status categories of closed issues. Jira sends the first; its documentation shows the second.
const CLOSED: [&str; 2] = ["done", "completed"];
/// Maximum number of field names in an error text.
const MAX_NAMED_FIELDS: usize = 10;

pub async fn raise(job: &Job<'_>) -> Result<ExternalTicket, Failure> {
    if job.may_exist()
        && let Some(found) = find(job).await?
    {
        return Ok(found);
    }
    let body = json!({ "fields": fields(job) }).to_string();
    let response =
        job.send(request(job, |to| Request::post(job.connector.stored.id, to, body), &["issue"])).await;
    let response = response.map_err(|error| refused(error, refused_fields))?.json();
    external(job, &response).ok_or(Failure::Unreadable)
}

pub async fn comment(job: &Job<'_>, on: ExternalTicket) -> Result<Attempted, Failure> {
    let Some(issue) = on.id.as_deref() else { return Ok(Attempted::Closed) };
    if !is_open(job, issue).await? {
        return Ok(Attempted::Closed);
    }
    if job.may_exist() && is_commented(job, issue).await? {
        return Ok(Attempted::Arrived(on));
    }
    let body =
        json!({ "body": adf::document(&paragraphs(job, "Again."), job.content.text.as_deref()) }).to_string();
    let post = |to| Request::post(job.connector.stored.id, to, body);
    let response = job.send(request(job, post, &["issue", issue, "comment"])).await;
    response.map_err(|error| refused(error, refused_fields))?;
    Ok(Attempted::Arrived(on))
}

fn request(job: &Job<'_>, to: impl FnOnce(String) -> Request, path: &[&str]) -> Request {
    let base = join_path(job.text("base_url"), &["rest", "api", "3"]);
    to(join_path(&base, path)).basic(job.text("email"), job.text("api_token"))
}

fn get(job: &Job<'_>, path: &[&str], query: &str) -> Request {
    request(job, |to| Request::get(job.connector.stored.id, format!("{to}?{query}")), path)
}

/// Builds the fields of an issue: reserved fields override the policy's fields, which override the priority.
fn fields(job: &Job<'_>) -> Value {
    let content = job.content;
    let mut fields = serde_json::Map::new();
    if let Some(priority) = &content.priority {
        fields.insert("priority".to_owned(), json!({ "name": priority }));
    }
    fields.extend(content.fields.clone());
    let labels = content.labels.iter().map(|label| cut(label, MAX_LABEL_CHARS)).chain([job.reference()]);
    let reserved = json!({
        "project": { "key": job.text("project_key") },
        "issuetype": { "name": job.text("issue_type") },
        "summary": line(&content.title, MAX_SUMMARY_CHARS),
        "description": adf::document(&paragraphs(job, ""), content.text.as_deref()),
        "labels": labels.collect::<Vec<_>>(),
    });
    fields.extend(reserved.as_object().cloned().unwrap_or_default());
    Value::Object(fields)
}

fn paragraphs(job: &Job<'_>, intro: &str) -> Vec<Vec<String>> {
    let reference = format!("Reference: {}", job.reference());
    let intro = (!intro.is_empty()).then(|| vec![format!("{intro} {}", job.content.title)]);
    intro.into_iter().chain([job.content.lines(), vec![reference]]).collect()
}

/// Finds the issue that carries the reference as a label.
async fn find(job: &Job<'_>) -> Result<Option<ExternalTicket>, Failure> {
    let jql = format!(r#"project = "{}" AND labels = "{}""#, job.text("project_key"), job.reference());
    let body = json!({ "jql": jql, "fields": ["key"], "maxResults": 1 }).to_string();
    let post = |to| Request::post(job.connector.stored.id, to, body).repeatable();
    let found = job.send(request(job, post, &["search", "jql"])).await?.json();
    let issues = found["issues"].as_array().ok_or(Failure::Unreadable)?;
    Ok(issues.first().and_then(|issue| external(job, issue)))
}

async fn is_open(job: &Job<'_>, issue: &str) -> Result<bool, Failure> {
    match job.send(get(job, &["issue", issue], "fields=status")).await {
        Ok(answer) => {
            let category =
                answer.json()["fields"]["status"]["statusCategory"]["key"].as_str().map(str::to_owned);
            Ok(category.is_none_or(|category| !CLOSED.contains(&category.as_str())))
        }
        Err(error) if error.status() == Some(404) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

async fn is_commented(job: &Job<'_>, issue: &str) -> Result<bool, Failure> {
    let query = format!("orderBy=-created&maxResults={MAX_COMMENTS}");
    let comments = job.send(get(job, &["issue", issue, "comment"], &query)).await?.json();
    let comments = comments["comments"].as_array().ok_or(Failure::Unreadable)?;
    let reference = job.reference();
    Ok(comments.iter().any(|comment| comment["body"].to_string().contains(&reference)))
}

fn external(job: &Job<'_>, issue: &Value) -> Option<ExternalTicket> {
    let (id, key) = (issue["id"].as_str()?, issue["key"].as_str()?);
    let url = join_path(job.text("base_url"), &["browse", key]);
    Some(ExternalTicket { id: Some(id.to_owned()), key: Some(key.to_owned()), url: Some(url) })
}

/// Names the refused fields. Jira's own messages are not used, because they may quote the ticket.
fn refused_fields(error: &Error) -> String {
    let Error::Status(response) = error else { return String::new() };
    let body = response.json();
    let is_plain =
        |name: &&String| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    let names = body["errors"].as_object().into_iter().flat_map(serde_json::Map::keys).filter(is_plain);
    let names: Vec<_> = names.take(MAX_NAMED_FIELDS).map(|name| cut(name, 100)).collect();
    if names.is_empty() {
        "the ticket was refused".to_owned()
    } else {
        format!("refused fields: {}", names.join(", "))
    }
}
