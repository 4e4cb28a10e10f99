//! Connector types of AI model providers.

use super::{Category, ConnectorType, Field};
use crate::connectors::field_format::Format;

const CHECK: &str =
    "Requests the model's description, which is free, or one token if the provider has no description.";

const API_KEY: Field = Field::new("api_key", Format::Key, "API key", "From the provider's console.");
const MODEL: Field = Field::new("model", Format::Text, "Model", "The provider's name of the model.");
const INTERNAL: Field = Field::new(
    "internal",
    Format::Boolean,
    "Internal",
    "Turn on for your own provider: texts are sent unmasked. Otherwise personal data is masked first.",
)
.or("false");

const fn base_url(default: &'static str) -> Field {
    let help = "Another address with the same API, such as a gateway.";
    Field::new("base_url", Format::BaseUrl, "Address", help).or(default)
}

pub(super) const OPENAI: ConnectorType = ConnectorType {
    name: "openai",
    label: "OpenAI",
    categories: &[Category::Ai],
    check: CHECK,
    fields: &[API_KEY, MODEL, base_url("https://api.openai.com/v1"), INTERNAL],
    model: Some("model"),
    check_is_visible: false,
};

pub(super) const ANTHROPIC: ConnectorType = ConnectorType {
    name: "anthropic",
    label: "Anthropic",
    categories: &[Category::Ai],
    check: CHECK,
    fields: &[API_KEY, MODEL, base_url("https://api.anthropic.com"), INTERNAL],
    model: Some("model"),
    check_is_visible: false,
};

pub(super) const AZURE_OPENAI: ConnectorType = ConnectorType {
    name: "azure_openai",
    label: "Azure OpenAI",
    categories: &[Category::Ai],
    check: "Requests one token from the deployment, the only way to see that it exists.",
    fields: &[
        API_KEY,
        Field::new(
            "endpoint",
            Format::BaseUrl,
            "Endpoint",
            "For example https://my-resource.openai.azure.com.",
        ),
        Field::new("deployment", Format::Word, "Deployment", "Name of the deployment."),
        Field::new("api_version", Format::Word, "API version", "Version of the data plane API.")
            .or("2024-10-21"),
        INTERNAL,
    ],
    model: Some("deployment"),
    check_is_visible: false,
};

pub(super) const GEMINI: ConnectorType = ConnectorType {
    name: "gemini",
    label: "Gemini",
    categories: &[Category::Ai],
    check: CHECK,
    fields: &[API_KEY, MODEL, base_url("https://generativelanguage.googleapis.com"), INTERNAL],
    model: Some("model"),
    check_is_visible: false,
};

pub(super) const OPENAI_COMPATIBLE: ConnectorType = ConnectorType {
    name: "openai_compatible",
    label: "OpenAI-compatible server",
    categories: &[Category::Ai, Category::Audio],
    check: "Looks for the model in the list of models, or requests one token if the list does not contain it.",
    fields: &[
        Field::new(
            "base_url",
            Format::BaseUrl,
            "Address",
            "Address including /v1, such as http://vllm:8000/v1.",
        ),
        Field::new("api_key", Format::Key, "API key", "If the server requires one.").optional(),
        Field::new("model", Format::Text, "Model", "The server's name of the model that evaluates texts.")
            .without("transcription_model"),
        Field::new(
            "transcription_model",
            Format::Text,
            "Transcription model",
            "The server's name of the model for /audio/transcriptions, if it transcribes.",
        )
        .optional(),
        INTERNAL,
    ],
    model: Some("model"),
    check_is_visible: false,
};
