//! Jira Cloud, as https://developer.atlassian.com/cloud/jira/platform/rest/v3/ documents its answers.

use axum::{
    http::{Method, Uri},
    response::Response,
};
use serde_json::{Value, json};

use super::{Held, json as answered};

pub fn answer(held: &mut Held, method: &Method, uri: &Uri, body: &Value) -> Response {
    let path: Vec<&str> = uri.path().trim_start_matches("/rest/api/3/").split('/').collect();
    match (method.as_str(), &path[..]) {
        ("GET", ["myself"]) => answered(200, json!({ "accountId": "5b10a2844c20165700ede21g" })),
        ("POST", ["issue"]) => create(held, body),
        ("POST", ["search", "jql"]) => search(held, body),
        ("GET", ["issue", issue]) => status(held, issue),
        ("POST", ["issue", issue, "comment"]) => comment(held, issue, body),
        ("GET", ["issue", issue, "comment"]) => comments(held, issue),
        _ => answered(404, json!({ "errorMessages": ["dead link"] })),
    }
}

/// What a project of the type asks for: these fields, and a document that is one.
fn create(held: &mut Held, body: &Value) -> Response {
    let fields = &body["fields"];
    let is_there = fields["project"]["key"] == "ED" && fields["issuetype"]["name"] == "Task";
    let is_short =
        fields["summary"].as_str().is_some_and(|text| !text.contains('\n') && text.chars().count() <= 255);
    let is_labelled = fields["labels"].as_array().is_some_and(|labels| {
        labels.iter().all(|label| label.as_str().is_some_and(|label| !label.contains(' ')))
    });
    if !is_there || !is_short || !is_labelled || !is_document(&fields["description"]) {
        return answered(400, json!({ "errorMessages": ["not an issue"], "errors": {} }));
    }
    let at = held.make(fields.clone());
    let (id, key) = (id(at), key(at));
    answered(201, json!({ "id": id, "key": key, "self": format!("https://a.example/rest/api/3/issue/{id}") }))
}

fn search(held: &Held, body: &Value) -> Response {
    let jql = body["jql"].as_str().unwrap();
    let label = jql.strip_prefix(r#"project = "ED" AND labels = ""#).unwrap().strip_suffix('"').unwrap();
    let is_meant =
        |ticket: &&super::Ticket| ticket.sent["labels"].as_array().unwrap().contains(&json!(label));
    let found = held.tickets.iter().position(|ticket| is_meant(&ticket));
    let issues: Vec<_> = found.into_iter().map(|at| json!({ "id": id(at), "key": key(at) })).collect();
    answered(200, json!({ "issues": issues, "isLast": true }))
}

fn status(held: &Held, issue: &str) -> Response {
    let Some(at) = place(held, issue) else {
        return answered(404, json!({ "errorMessages": ["Issue does not exist"] }));
    };
    let category = if held.tickets[at].is_closed { "done" } else { "indeterminate" };
    answered(200, json!({ "id": id(at), "fields": { "status": { "statusCategory": { "key": category } } } }))
}

fn comment(held: &mut Held, issue: &str, body: &Value) -> Response {
    let Some(at) = place(held, issue) else { return answered(404, Value::Null) };
    if !is_document(&body["body"]) {
        return answered(400, json!({ "errorMessages": [], "errors": { "comment": "not a document" } }));
    }
    held.tickets[at].comments.push(body.clone());
    answered(201, json!({ "id": "10100", "body": body["body"] }))
}

fn comments(held: &Held, issue: &str) -> Response {
    let Some(at) = place(held, issue) else { return answered(404, Value::Null) };
    let comments = &held.tickets[at].comments;
    answered(200, json!({ "startAt": 0, "maxResults": 100, "total": comments.len(), "comments": comments }))
}

fn id(at: usize) -> String {
    (10_000 + at).to_string()
}

fn key(at: usize) -> String {
    format!("ED-{}", at + 1)
}

fn place(held: &Held, issue: &str) -> Option<usize> {
    (0..held.tickets.len()).find(|at| id(*at) == issue || key(*at) == issue)
}

/// A document of blocks, whose texts are not empty.
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
