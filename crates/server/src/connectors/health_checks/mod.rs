//! Whether a connector can be used: the cheapest request that tells, to the real thing.

mod ai;
mod cloud;
mod simple;

use std::time::Duration;

use guardengine_egress::{EgressClient, Error, Request, Response};

pub use ai::authorised;

use super::OpenConnector;
use crate::app::App;

/// How long each request of a check may take.
const DEADLINE: Duration = Duration::from_secs(10);

/// A connector that is being checked.
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

/// Asks; why it cannot be used, in words that are told to people and hold no secret.
pub async fn check(app: &App, connector: &OpenConnector) -> Result<(), String> {
    let checked = Checked { outgoing: &app.egress, connector };
    match connector.kind.name {
        "cloudprovider_cloud" => cloud::check(&checked, app.clock.now()).await,
        "openai" | "anthropic" | "azure_openai" | "gemini" | "openai_compatible" => ai::check(&checked).await,
        _ => simple::check(&checked, app.clock.now()).await,
    }
}

/// Whether a fault says that the connector cannot be used, and not only that this message was not taken.
pub fn is_connector_error(fault: &Error) -> bool {
    matches!(fault, Error::Unreachable(_) | Error::TimedOut(_) | Error::Refused(_))
        || matches!(fault.status(), Some(401 | 403 | 404))
}

/// A fault of the peer, with what it most likely means.
pub fn describe_error(fault: &Error) -> String {
    let meaning = match fault.status() {
        Some(401 | 403) => ": the credentials are not accepted",
        Some(404) => ": nothing is there under this address, or this name",
        Some(429) => ": it is asked too often, or its quota is used up",
        Some(500..) => ": it has troubles of its own",
        _ => "",
    };
    format!("{fault}{meaning}")
}
