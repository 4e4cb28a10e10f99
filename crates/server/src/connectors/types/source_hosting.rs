//! Where source code is kept.

use super::{Category, Field, Type};
use crate::connectors::format::Format;

const TOKEN: Field = Field::new("token", Format::Key, "Access token", "With read access to what it is for.");

pub(super) const GITHUB: Type = Type {
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

pub(super) const GITLAB: Type = Type {
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
