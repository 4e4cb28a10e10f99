//! ServiceNow, as https://www.servicenow.com/docs/r/api-reference/rest-apis/c_TableAPI.html documents its answers.

use axum::{
    http::{Method, Uri},
    response::Response,
};
use serde_json::{Value, json};

use super::{Held, json as answered};

pub fn answer(held: &mut Held, method: &Method, uri: &Uri, body: &Value) -> Response {
    let path: Vec<&str> = uri.path().trim_start_matches("/api/now/table/").split('/').collect();
    match (method.as_str(), &path[..]) {
        ("POST", ["incident"]) => {
            let at = held.make(body.clone());
            answered(201, json!({ "result": record(at) }))
        }
        ("GET", ["incident"]) => {
            let query = uri.query().unwrap_or_default();
            let reference = query.split(['&', '=']).find_map(|part| part.strip_prefix("correlation_id%3D"));
            let is_meant =
                |ticket: &super::Ticket| Some(ticket.sent["correlation_id"].as_str().unwrap()) == reference;
            let found = held.tickets.iter().position(is_meant);
            answered(200, json!({ "result": found.map(record).into_iter().collect::<Vec<_>>() }))
        }
        ("GET", ["incident", id]) => match place(held, id) {
            Some(at) => answered(200, json!({ "result": shown(held, at) })),
            None => missing(),
        },
        ("PATCH", ["incident", id]) => match place(held, id) {
            Some(at) => {
                held.tickets[at].comments.push(body["work_notes"].clone());
                answered(200, json!({ "result": record(at) }))
            }
            None => missing(),
        },
        _ => missing(),
    }
}

fn record(at: usize) -> Value {
    json!({ "sys_id": id(at), "number": format!("INC{:07}", at + 1) })
}

/// As people see it: a journal is its notes, each after who wrote it.
fn shown(held: &Held, at: usize) -> Value {
    let ticket = &held.tickets[at];
    let note = |note: &Value| {
        format!("2026-01-02 03:04:05 - guardengine (Work notes)\n{}\n\n", note.as_str().unwrap())
    };
    let notes: String = ticket.comments.iter().map(note).collect();
    json!({ "active": if ticket.is_closed { "false" } else { "true" }, "work_notes": notes })
}

fn missing() -> Response {
    let error = json!({ "message": "No Record found", "detail": "Record doesn't exist or ACL restricts the record retrieval" });
    answered(404, json!({ "error": error, "status": "failure" }))
}

fn id(at: usize) -> String {
    format!("{at:032x}")
}

fn place(held: &Held, wanted: &str) -> Option<usize> {
    (0..held.tickets.len()).find(|at| id(*at) == wanted)
}
