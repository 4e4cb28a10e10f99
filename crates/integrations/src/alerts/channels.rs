//! Sends a message to one channel of a rule.

use guardengine_egress::Request;
use guardengine_store::{Connector, Result};
use serde_json::json;
use uuid::Uuid;

use crate::{
    Integrations,
    connectors::{OpenConnector, describe_error, open},
    mail::{self, Mail},
};

/// Types of connectors that messages can be sent to.
pub const CHANNEL_TYPES: [&str; 2] = ["slack", "smtp"];

/// A message to people.
#[derive(Clone, Copy, Debug)]
pub struct AlertMessage<'a> {
    /// Title, one line.
    pub title: &'a str,
    /// Text below the title.
    pub content: &'a str,
    /// Addresses that receive it by e-mail.
    pub recipients: &'a [String],
}

/// The reason for which a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendError {
    /// Description, for users.
    pub error: String,
    /// True if a later attempt may succeed without a change.
    pub is_transient: bool,
}

/// Sends a message to a connector of the organization.
pub async fn send_to(
    integrations: &Integrations,
    org: Uuid,
    connector: Uuid,
    message: AlertMessage<'_>,
) -> Result<std::result::Result<(), SendError>> {
    let usable = integrations.db.connector(org, connector).await?.filter(|stored| stored.enabled);
    let Some(stored) = usable else {
        let error = "the connector is disabled or was deleted".to_owned();
        return Ok(Err(SendError { error, is_transient: false }));
    };
    Ok(send(integrations, stored, message).await)
}

async fn send(
    integrations: &Integrations,
    stored: Connector,
    message: AlertMessage<'_>,
) -> std::result::Result<(), SendError> {
    let id = stored.id;
    let connector = open(&integrations.vault, stored).await.map_err(|error| {
        tracing::warn!(%error, connector = %id, "could not decrypt a connector");
        SendError { error: "the connector's secrets cannot be decrypted".to_owned(), is_transient: true }
    })?;
    let AlertMessage { title, content, recipients } = message;
    if connector.kind.name == "smtp" {
        let mail = Mail { to: recipients, subject: title, text: content };
        let sent = Box::pin(mail::send(integrations, &connector, mail)).await;
        return sent
            .map_err(|error| SendError { is_transient: error.is_transient(), error: error.to_string() });
    }
    let request = slack_message(&connector, &format!("{title}\n{content}"));
    let sent = integrations.egress.send(request).await;
    sent.map(drop).map_err(|error| SendError {
        is_transient: !matches!(error.status(), Some(400..=407 | 410..=428)),
        error: describe_error(&error),
    })
}

/// Builds a message for an incoming webhook of Slack, or of what understands the same.
/// Source: <https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks>
pub fn slack_message(connector: &OpenConnector, text: &str) -> Request {
    let body = json!({ "text": escaped(text) }).to_string();
    Request::post(connector.stored.id, connector.text("url"), body)
}

/// Escapes the control characters of Slack's markup, so that a text makes no link and no mention.
/// Source: <https://docs.slack.dev/messaging/formatting-message-text#escaping>
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_makes_no_mention_and_no_link() {
        assert_eq!(escaped("<!channel> & <http://a|b>"), "&lt;!channel&gt; &amp; &lt;http://a|b&gt;");
    }
}
