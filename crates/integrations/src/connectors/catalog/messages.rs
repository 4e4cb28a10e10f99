//! Connector types that send messages to people: alerts.

use super::{Category, ConnectorType, Field};
use crate::connectors::field_format::Format;

pub(super) const SMTP: ConnectorType = ConnectorType {
    name: "smtp",
    label: "E-mail (SMTP)",
    categories: &[Category::Messages],
    check: "Connects and signs in, without a message.",
    fields: &[
        Field::new("host", Format::Host, "Server", "Name of the mail server, such as smtp.example.com."),
        Field::new(
            "port",
            Format::Port,
            "Port",
            "465 uses TLS from the start; any other port needs STARTTLS. Without a password, private networks may do \
             without.",
        )
        .or("587"),
        Field::new("username", Format::Text, "User name", "If the server requires one.").optional(),
        Field::new("password", Format::Password, "Password", "Password of that user.").optional(),
        Field::new("from", Format::Email, "Sender", "Address that the messages come from."),
    ],
    model: None,
    check_is_visible: false,
};

pub(super) const SLACK: ConnectorType = ConnectorType {
    name: "slack",
    label: "Slack-compatible webhook",
    categories: &[Category::Messages],
    check: "Posts a short message to the channel.",
    fields: &[Field::new(
        "url",
        Format::Url,
        "Address",
        "Address of an incoming webhook of Slack, Mattermost or Rocket.Chat. It is stored as a secret.",
    )
    .sealed()],
    model: None,
    check_is_visible: true,
};
