//! Where source code is kept.

use super::{Category, ConnectorType, Field};
use crate::connectors::field_format::Format;

const TOKEN: Field = Field::new("token", Format::Key, "Access token", "With read access to what it is for.");

pub(super) const GITHUB: ConnectorType = ConnectorType {
    name: "github",
    label: "GitHub",
    categories: &[Category::SourceHosting],
    check: "Asks who the token belongs to.",
    fields: &[
        TOKEN,
        Field::new(
            "base_url",
            Format::BaseUrl,
            "API address",
            "Of a server of your own: https://host/api/v3.",
        )
        .or("https://api.github.com"),
    ],
    model: None,
    is_heard: false,
};

pub(super) const GITLAB: ConnectorType = ConnectorType {
    name: "gitlab",
    label: "GitLab",
    categories: &[Category::SourceHosting],
    check: "Asks who the token belongs to.",
    fields: &[
        TOKEN,
        Field::new("base_url", Format::BaseUrl, "Address", "Of a server of your own.")
            .or("https://gitlab.com"),
    ],
    model: None,
    is_heard: false,
};
