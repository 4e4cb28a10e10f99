//! Where tickets are raised.

use super::{Category, ConnectorType, Field};
use crate::connectors::field_format::Format;

pub(super) const JIRA: ConnectorType = ConnectorType {
    name: "jira",
    label: "Jira",
    categories: &[Category::Tickets],
    check: "Asks who the token belongs to.",
    fields: &[
        Field::new("base_url", Format::BaseUrl, "Site", "For example https://example.atlassian.net."),
        Field::new("email", Format::Email, "E-mail", "Of the account that raises the tickets."),
        Field::new("api_token", Format::Key, "API token", "Made at id.atlassian.com, under Security."),
        Field::new("project_key", Format::Word, "Project key", "The letters before the number of an issue."),
        Field::new("issue_type", Format::Text, "Issue type", "As the project names it.").or("Task"),
    ],
    model: None,
    is_heard: false,
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
            "Of a user with the role itil, or one that may write the table.",
        ),
        Field::new("password", Format::Password, "Password", "Of that user."),
        Field::new("table", Format::Word, "Table", "Where records are made.").or("incident"),
    ],
    model: None,
    is_heard: false,
};

pub(super) const WEBHOOK: ConnectorType = ConnectorType {
    name: "webhook",
    label: "Webhook",
    categories: &[Category::Tickets],
    check: "Posts a signed message of the type ping.",
    fields: &[
        Field::new("url", Format::Url, "Address", "What messages are posted to."),
        Field::new(
            "secret",
            Format::Password,
            "Signing secret",
            "Messages are signed with it as Standard Webhooks describes; one that begins with whsec_ is base64.",
        ),
    ],
    model: None,
    is_heard: true,
};
