//! Providers of models.

use super::{Category, ConnectorType, Field};
use crate::connectors::field_format::Format;

const CHECK: &str =
    "Asks for the model's description, which costs nothing; where there is none, for one token.";

const API_KEY: Field = Field::new("api_key", Format::Key, "API key", "From the provider's console.");
const MODEL: Field =
    Field::new("model", Format::Text, "Model", "The model's name as the provider writes it.");
const INTERNAL: Field = Field::new(
    "internal",
    Format::Boolean,
    "Internal",
    "The provider is one of your own: texts are sent to it as they are. Elsewhere personal data is masked first.",
)
.or("false");

const fn base_url(default: &'static str) -> Field {
    let help = "Another address that speaks the same format, such as a gateway's.";
    Field::new("base_url", Format::BaseUrl, "Address", help).or(default)
}

pub(super) const OPENAI: ConnectorType = ConnectorType {
    name: "openai",
    label: "OpenAI",
    categories: &[Category::Ai],
    check: CHECK,
    fields: &[API_KEY, MODEL, base_url("https://api.openai.com/v1"), INTERNAL],
    model: Some("model"),
    is_heard: false,
};

pub(super) const ANTHROPIC: ConnectorType = ConnectorType {
    name: "anthropic",
    label: "Anthropic",
    categories: &[Category::Ai],
    check: CHECK,
    fields: &[API_KEY, MODEL, base_url("https://api.anthropic.com"), INTERNAL],
    model: Some("model"),
    is_heard: false,
};

pub(super) const AZURE_OPENAI: ConnectorType = ConnectorType {
    name: "azure_openai",
    label: "Azure OpenAI",
    categories: &[Category::Ai],
    check: "Asks the deployment for one token: nothing else tells whether it is there.",
    fields: &[
        API_KEY,
        Field::new(
            "endpoint",
            Format::BaseUrl,
            "Endpoint",
            "For example https://my-resource.openai.azure.com.",
        ),
        Field::new("deployment", Format::Word, "Deployment", "The name that the deployment was given."),
        Field::new("api_version", Format::Word, "API version", "Of the data plane.").or("2024-10-21"),
        INTERNAL,
    ],
    model: Some("deployment"),
    is_heard: false,
};

pub(super) const GEMINI: ConnectorType = ConnectorType {
    name: "gemini",
    label: "Gemini",
    categories: &[Category::Ai],
    check: CHECK,
    fields: &[API_KEY, MODEL, base_url("https://generativelanguage.googleapis.com"), INTERNAL],
    model: Some("model"),
    is_heard: false,
};

pub(super) const OPENAI_COMPATIBLE: ConnectorType = ConnectorType {
    name: "openai_compatible",
    label: "OpenAI-compatible server",
    categories: &[Category::Ai, Category::Audio],
    check: "Looks for the model in the list of models; where that does not show it, asks for one token.",
    fields: &[
        Field::new("base_url", Format::BaseUrl, "Address", "Up to and with /v1, as http://vllm:8000/v1."),
        Field::new("api_key", Format::Key, "API key", "Where the server wants one.").optional(),
        Field::new("model", Format::Text, "Model", "The model that judges, as the server names it.")
            .without("transcription_model"),
        Field::new(
            "transcription_model",
            Format::Text,
            "Transcription model",
            "The model behind /audio/transcriptions, where the server transcribes.",
        )
        .optional(),
        INTERNAL,
    ],
    model: Some("model"),
    is_heard: false,
};
