//! ServiceNow. Source of the formats: <https://www.servicenow.com/docs/r/api-reference/rest-apis/c_TableAPI.html>.

use axum::{
    http::{Method, Uri},
    response::Response,
};
use serde_json::{Value, json};

use super::{Records, json as respond};

pub(super) fn handle(records: &mut Records, method: &Method, uri: &Uri, body: &Value) -> Response {
    let path: Vec<&str> = uri.path().trim_start_matches("/api/now/table/").split('/').collect();
    match (method.as_str(), &path[..]) {
        ("POST", ["incident"]) => {
            let at = records.create(body.clone());
            respond(201, json!({ "result": record(at) }))
        }
        ("GET", ["incident"]) => {
            let query = uri.query().unwrap_or_default();
            let reference = query.split(['&', '=']).find_map(|part| part.strip_prefix("correlation_id%3D"));
            let has_reference =
                |ticket: &super::Ticket| Some(ticket.sent["correlation_id"].as_str().unwrap()) == reference;
            let found = records.tickets.iter().position(has_reference);
            respond(200, json!({ "result": found.map(record).into_iter().collect::<Vec<_>>() }))
        }
        ("GET", ["incident", id]) => match find(records, id) {
            Some(at) => respond(200, json!({ "result": displayed(records, at) })),
            None => not_found(),
        },
        ("PATCH", ["incident", id]) => match find(records, id) {
            Some(at) => {
                records.tickets[at].comments.push(body["work_notes"].clone());
                respond(200, json!({ "result": record(at) }))
            }
            None => not_found(),
        },
        _ => not_found(),
    }
}

fn record(at: usize) -> Value {
    json!({ "sys_id": id(at), "number": format!("INC{:07}", at + 1) })
}

/// Renders a record as ServiceNow displays it: each note follows a line with its author.
fn displayed(records: &Records, at: usize) -> Value {
    let ticket = &records.tickets[at];
    let note = |note: &Value| {
        format!("2026-01-02 03:04:05 - guardengine (Work notes)\n{}\n\n", note.as_str().unwrap())
    };
    let notes: String = ticket.comments.iter().map(note).collect();
    json!({ "active": if ticket.is_closed { "false" } else { "true" }, "work_notes": notes })
}

fn not_found() -> Response {
    let error = json!({ "message": "No Record found", "detail": "Record doesn't exist or ACL restricts the record retrieval" });
    respond(404, json!({ "error": error, "status": "failure" }))
}

fn id(at: usize) -> String {
    format!("{at:032x}")
}

fn find(records: &Records, id_to_find: &str) -> Option<usize> {
    (0..records.tickets.len()).find(|at| id(*at) == id_to_find)
}
