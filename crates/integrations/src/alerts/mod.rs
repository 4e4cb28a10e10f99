//! Alerts: rules that watch an organization, and the messages that they send to people.
//!
//! [`evaluate_due`] evaluates rules once a minute, each by one replica. A rule that begins or ceases to fire writes an
//! event and its messages in one transaction. Messages are sent in the background; webhooks receive the event.

mod channels;
mod condition;
mod evaluate;
mod reading;
mod worker;

use guardengine_store::Timestamp;

pub use channels::{AlertMessage, CHANNEL_TYPES, SendError, send_to, slack_message};
pub use condition::Condition;
pub use evaluate::{evaluate_due, summary_now};
pub(crate) use worker::Messages;

use crate::Integrations;

/// Returns the text of a message: the summary, the time, and the address of the page.
pub fn content(integrations: &Integrations, summary: &str, now: Timestamp) -> String {
    let link = integrations.base_url.page("/alerts").map(|link| format!("\n{link}")).unwrap_or_default();
    format!("{summary}\n{now}{link}")
}
