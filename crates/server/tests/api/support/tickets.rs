//! Waiting for tickets, which are sent in the background.

use guardengine_test_support::poll::until;
use serde_json::Value;

use super::TestService;

/// Returns the ticket as soon as it has this status.
pub async fn wait_for_status(service: &TestService, token: &str, id: &str, status: &str) -> Value {
    let path = format!("/api/tickets/{id}");
    until(&format!("a ticket is {status}"), async || {
        let ticket = service.get(token, &path).await.body;
        (ticket["status"] == status).then_some(ticket)
    })
    .await
}

/// Returns the ticket as soon as this many attempts to send it failed.
pub async fn wait_for_attempts(service: &TestService, token: &str, id: &str, attempts: u64) -> Value {
    let path = format!("/api/tickets/{id}");
    until(&format!("a ticket failed {attempts} times"), async || {
        let ticket = service.get(token, &path).await.body;
        (ticket["attempts"] == attempts && ticket["last_error"].is_string()).then_some(ticket)
    })
    .await
}
