//! Connector health checks: the cheapest request to the external system that shows whether the connector works.

mod ai;
mod cloud;
mod mcp;
mod simple;

use std::time::Duration;

use guardengine_egress::{EgressClient, Error, Request, Response};

pub use ai::authorised;

use super::OpenConnector;
use crate::{Integrations, mail};

/// Longest time for each request of a check.
const DEADLINE: Duration = Duration::from_secs(10);

/// A connector under check.
struct Checked<'a> {
    outgoing: &'a EgressClient,
    connector: &'a OpenConnector,
}

impl Checked<'_> {
    async fn ask(&self, request: Request) -> Result<Response, Error> {
        self.outgoing.send(request.within(DEADLINE).probe()).await
    }

    fn text(&self, field: &str) -> &str {
        self.connector.text(field)
    }
}

/// Checks a connector. The error says why it cannot be used; users see it, so it contains no secrets.
pub async fn check(integrations: &Integrations, connector: &OpenConnector) -> Result<(), String> {
    let checked = Checked { outgoing: &integrations.egress, connector };
    match connector.kind.name {
        "cloudprovider_cloud" => cloud::check(&checked, integrations.clock.now()).await,
        "openai" | "anthropic" | "azure_openai" | "gemini" | "openai_compatible" => ai::check(&checked).await,
        "smtp" => Box::pin(mail::check(integrations, connector)).await.map_err(|error| error.to_string()),
        "mcp_server" => mcp::check(&checked).await,
        _ => simple::check(&checked, integrations.clock.now()).await,
    }
}

/// Returns true if an error means that the connector cannot be used, not only that one message was refused.
pub fn is_connector_error(error: &Error) -> bool {
    matches!(error, Error::Unreachable(_) | Error::TimedOut(_) | Error::Blocked(_))
        || matches!(error.status(), Some(401 | 403 | 404))
}

/// Describes an error of the external system, with its most likely cause.
pub fn describe_error(error: &Error) -> String {
    let meaning = match error.status() {
        Some(401 | 403) => ": the credentials are not accepted",
        Some(404) => ": nothing exists at this address or under this name",
        Some(429) => ": rate limit or quota exceeded",
        Some(500..) => ": the server failed",
        _ => "",
    };
    format!("{error}{meaning}")
}
