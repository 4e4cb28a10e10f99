//! Whether a connector can be used: the cheapest request that tells, to the real thing.

mod ai;
mod cloud;
mod simple;

use std::time::Duration;

use guardengine_egress::{Answer, Fault, Outgoing, Request};

pub use ai::authorised;

use super::Connector;
use crate::app::App;

/// How long each request of a check may take.
const DEADLINE: Duration = Duration::from_secs(10);

/// A connector that is being checked.
struct Checked<'a> {
    outgoing: &'a Outgoing,
    connector: &'a Connector,
}

impl Checked<'_> {
    async fn ask(&self, request: Request) -> Result<Answer, Fault> {
        self.outgoing.send(request.within(DEADLINE).probe()).await
    }

    fn text(&self, field: &str) -> &str {
        self.connector.text(field)
    }
}

/// Asks; why it cannot be used, in words that are told to people and hold no secret.
pub async fn check(app: &App, connector: &Connector) -> Result<(), String> {
    let checked = Checked { outgoing: &app.outgoing, connector };
    match connector.kind.name {
        "cloudprovider_cloud" => cloud::check(&checked, app.clock.now()).await,
        "openai" | "anthropic" | "azure_openai" | "gemini" | "openai_compatible" => ai::check(&checked).await,
        _ => simple::check(&checked, app.clock.now()).await,
    }
}

/// Whether a fault says that the connector cannot be used, and not only that this message was not taken.
pub fn says_of_connector(fault: &Fault) -> bool {
    matches!(fault, Fault::Unreachable(_) | Fault::TimedOut(_) | Fault::Refused(_))
        || matches!(fault.status(), Some(401 | 403 | 404))
}

/// A fault of the peer, with what it most likely means.
pub fn told(fault: &Fault) -> String {
    let meaning = match fault.status() {
        Some(401 | 403) => ": the credentials are not accepted",
        Some(404) => ": nothing is there under this address, or this name",
        Some(429) => ": it is asked too often, or its quota is used up",
        Some(500..) => ": it has troubles of its own",
        _ => "",
    };
    format!("{fault}{meaning}")
}
