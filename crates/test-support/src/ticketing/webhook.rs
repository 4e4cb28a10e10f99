//! A webhook receiver that recognizes repeated messages by their reference.

use axum::{
    http::{Method, Uri},
    response::Response,
};
use serde_json::{Value, json};

use super::{Records, json as respond};

pub(super) fn handle(records: &mut Records, _: &Method, _: &Uri, body: &Value) -> Response {
    if body["type"] == "ping" {
        return respond(200, json!({}));
    }
    let is_known =
        records.tickets.iter().any(|ticket| ticket.sent["data"]["reference"] == body["data"]["reference"]);
    if !is_known {
        records.create(body.clone());
    }
    respond(200, json!({ "key": "SEC-7", "url": "https://desk.example/SEC-7" }))
}
