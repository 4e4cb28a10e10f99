//! Connector types of ticket systems.

use super::{Category, ConnectorType, Field};
use crate::connectors::field_format::Format;

pub(super) const JIRA: ConnectorType = ConnectorType {
    name: "jira",
    label: "Jira",
    categories: &[Category::Tickets],
    check: "Requests the user that the token belongs to.",
    fields: &[
        Field::new("base_url", Format::BaseUrl, "Site", "For example https://example.atlassian.net."),
        Field::new(
            "email",
            Format::Email,
            "E-mail",
            "E-mail address of the account that creates the tickets.",
        ),
        Field::new("api_token", Format::Key, "API token", "Created at id.atlassian.com, under Security."),
        Field::new(
            "project_key",
            Format::Word,
            "Project key",
            "The letters before the number in an issue key.",
        ),
        Field::new("issue_type", Format::Text, "Issue type", "The project's name of the issue type.")
            .or("Task"),
    ],
    model: None,
    check_is_visible: false,
};

pub(super) const SERVICENOW: ConnectorType = ConnectorType {
    name: "servicenow",
    label: "ServiceNow",
    categories: &[Category::Tickets],
    check: "Reads one record of the table.",
    fields: &[
        Field::new(
            "instance_url",
            Format::BaseUrl,
            "Instance",
            "For example https://example.service-now.com.",
        ),
        Field::new(
            "username",
            Format::Text,
            "User name",
            "A user with the role itil, or with write access to the table.",
        ),
        Field::new("password", Format::Password, "Password", "Password of that user."),
        Field::new("table", Format::Word, "Table", "Table that records are created in.").or("incident"),
    ],
    model: None,
    check_is_visible: false,
};

pub(super) const WEBHOOK: ConnectorType = ConnectorType {
    name: "webhook",
    label: "Webhook",
    categories: &[Category::Tickets],
    check: "Posts a signed message of type ping.",
    fields: &[
        Field::new("url", Format::Url, "Address", "URL that messages are posted to."),
        Field::new(
            "secret",
            Format::Password,
            "Signing secret",
            "At least 16 characters. Signs messages according to Standard Webhooks. After the prefix whsec_ the secret is \
             base64.",
        )
        .at_least(16),
    ],
    model: None,
    check_is_visible: true,
};
