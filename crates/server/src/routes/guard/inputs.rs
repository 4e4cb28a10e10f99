//! Schemas of fields that accept more than one type. `request.rs` reads them.

#![expect(dead_code, reason = "schemas for the API document, which are never constructed")]

use guardengine_api_types::choices;
use guardengine_guard::submission::Turn;
use utoipa::ToSchema;

/// A text that the model will read: a string, or an object with a `text`.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
pub enum DocumentText {
    Text(String),
    Object { text: String },
}

/// A text that the model will read: a string, an object with a `text`, or a file in base64.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
pub enum DocumentItem {
    Text(String),
    Object {
        text: String,
    },
    File {
        /// Name of the file. Its ending must fit the contents.
        name: Option<String>,
        /// PDF, DOCX, XLSX, PPTX, HTML, EML, ZIP, TXT, CSV or JSON in base64 or as a data URL.
        data: String,
    },
}

/// A previous turn of the conversation: an object, or a string for a turn of the user.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
pub enum HistoryTurn {
    Turn(Turn),
    Text(String),
}

/// Masking of personal data that the policy would allow: true, false, or an object.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
pub enum MaskingChoice {
    Masks(bool),
    Settings {
        /// True if absent.
        enabled: Option<bool>,
        /// Strategy of the policy if absent.
        #[schema(value_type = Option<choices::MaskingStrategy>)]
        strategy: Option<()>,
    },
}
