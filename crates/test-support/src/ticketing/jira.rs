//! Jira Cloud. Source of the formats: <https://developer.atlassian.com/cloud/jira/platform/rest/v3/>.

use axum::{
    http::{Method, Uri},
    response::Response,
};
use serde_json::{Value, json};

use super::{Records, json as respond};

pub(super) fn handle(records: &mut Records, method: &Method, uri: &Uri, body: &Value) -> Response {
    let path: Vec<&str> = uri.path().trim_start_matches("/rest/api/3/").split('/').collect();
    match (method.as_str(), &path[..]) {
        ("GET", ["myself"]) => respond(200, json!({ "accountId": "5b10a2844c20165700ede21g" })),
        ("POST", ["issue"]) => create(records, body),
        ("POST", ["search", "jql"]) => search(records, body),
        ("GET", ["issue", issue]) => status(records, issue),
        ("POST", ["issue", issue, "comment"]) => comment(records, issue, body),
        ("GET", ["issue", issue, "comment"]) => comments(records, issue),
        _ => respond(404, json!({ "errorMessages": ["dead link"] })),
    }
}

/// Creates an issue when the required fields are present and the description is a valid document.
fn create(records: &mut Records, body: &Value) -> Response {
    let fields = &body["fields"];
    let is_in_project = fields["project"]["key"] == "ED" && fields["issuetype"]["name"] == "Task";
    let is_short =
        fields["summary"].as_str().is_some_and(|text| !text.contains('\n') && text.chars().count() <= 255);
    let is_labelled = fields["labels"].as_array().is_some_and(|labels| {
        labels.iter().all(|label| label.as_str().is_some_and(|label| !label.contains(' ')))
    });
    if !is_in_project || !is_short || !is_labelled || !is_document(&fields["description"]) {
        return respond(400, json!({ "errorMessages": ["not an issue"], "errors": {} }));
    }
    let at = records.create(fields.clone());
    let (id, key) = (id(at), key(at));
    respond(201, json!({ "id": id, "key": key, "self": format!("https://a.example/rest/api/3/issue/{id}") }))
}

fn search(records: &Records, body: &Value) -> Response {
    let jql = body["jql"].as_str().unwrap();
    let label = jql.strip_prefix(r#"project = "ED" AND labels = ""#).unwrap().strip_suffix('"').unwrap();
    let has_label =
        |ticket: &&super::Ticket| ticket.sent["labels"].as_array().unwrap().contains(&json!(label));
    let found = records.tickets.iter().position(|ticket| has_label(&ticket));
    let issues: Vec<_> = found.into_iter().map(|at| json!({ "id": id(at), "key": key(at) })).collect();
    respond(200, json!({ "issues": issues, "isLast": true }))
}

fn status(records: &Records, issue: &str) -> Response {
    let Some(at) = find(records, issue) else {
        return respond(404, json!({ "errorMessages": ["Issue does not exist"] }));
    };
    let category = if records.tickets[at].is_closed { "done" } else { "indeterminate" };
    respond(200, json!({ "id": id(at), "fields": { "status": { "statusCategory": { "key": category } } } }))
}

fn comment(records: &mut Records, issue: &str, body: &Value) -> Response {
    let Some(at) = find(records, issue) else { return respond(404, Value::Null) };
    if !is_document(&body["body"]) {
        return respond(400, json!({ "errorMessages": [], "errors": { "comment": "not a document" } }));
    }
    records.tickets[at].comments.push(body.clone());
    respond(201, json!({ "id": "10100", "body": body["body"] }))
}

fn comments(records: &Records, issue: &str) -> Response {
    let Some(at) = find(records, issue) else { return respond(404, Value::Null) };
    let comments = &records.tickets[at].comments;
    respond(200, json!({ "startAt": 0, "maxResults": 100, "total": comments.len(), "comments": comments }))
}

fn id(at: usize) -> String {
    (10_000 + at).to_string()
}

fn key(at: usize) -> String {
    format!("ED-{}", at + 1)
}

fn find(records: &Records, issue: &str) -> Option<usize> {
    (0..records.tickets.len()).find(|at| id(*at) == issue || key(*at) == issue)
}

/// Returns true when `document` consists of blocks without empty texts.
fn is_document(document: &Value) -> bool {
    let blocks = document["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_node = |node: &Value| match node["type"].as_str() {
        Some("text") => node["text"].as_str().is_some_and(|text| !text.is_empty()),
        Some(kind) => kind == "hardBreak",
        None => false,
    };
    let is_block = |block: &Value| {
        let nodes = block["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        matches!(block["type"].as_str(), Some("paragraph" | "codeBlock")) && nodes.iter().all(is_node)
    };
    document["type"] == "doc" && document["version"] == 1 && !blocks.is_empty() && blocks.iter().all(is_block)
}
