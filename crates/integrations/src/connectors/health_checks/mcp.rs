//! Health check of MCP servers.

use super::{Checked, describe_error};
use crate::mcp;

pub(super) async fn check(checked: &Checked<'_>) -> Result<(), String> {
    let listed = checked.ask(mcp::check(checked.connector)).await;
    let outcome = match listed {
        // Servers of earlier versions want a session first, and say so with a status of their own choice.
        Err(error) if matches!(error.status(), Some(400 | 404 | 406 | 422)) => {
            checked.ask(mcp::check_session(checked.connector)).await
        }
        outcome => outcome,
    };
    outcome.map(drop).map_err(|error| describe_error(&error))
}
