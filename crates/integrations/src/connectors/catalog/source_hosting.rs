//! Connector types of source code hosting.

use super::{Category, ConnectorType, Field};
use crate::connectors::field_format::Format;

const TOKEN: Field =
    Field::new("token", Format::Key, "Access token", "A token with read access to the repositories.");

pub(super) const GITHUB: ConnectorType = ConnectorType {
    name: "github",
    label: "GitHub",
    categories: &[Category::SourceHosting],
    check: "Requests the user that the token belongs to.",
    fields: &[
        TOKEN,
        Field::new("base_url", Format::BaseUrl, "API address", "For your own server: https://host/api/v3.")
            .or("https://api.github.com"),
    ],
    model: None,
    check_is_visible: false,
};

pub(super) const GITLAB: ConnectorType = ConnectorType {
    name: "gitlab",
    label: "GitLab",
    categories: &[Category::SourceHosting],
    check: "Requests the user that the token belongs to.",
    fields: &[
        TOKEN,
        Field::new("base_url", Format::BaseUrl, "Address", "For your own server.").or("https://gitlab.com"),
    ],
    model: None,
    check_is_visible: false,
};
