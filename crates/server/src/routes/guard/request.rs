//! The fields that guard requests share.

use axum::http::{HeaderMap, header};
use guardengine_auth::Principal;
use guardengine_engine::{
    RequestOptions,
    evidence::Origin,
    fields::{FieldError, Fields},
    pii::mask::Strategy,
};
use guardengine_guard::{
    ClientInfo, GuardRequest, Operation,
    attachments::{DocumentFile, ImageFile, decode_base64},
    submission::{Role, Submission, Turn},
};
use guardengine_store::Clock;
use serde_json::Value;

use crate::http::CorrelationId;

const MAX_DOCUMENTS: usize = 200;
/// Most files among them.
const MAX_FILES: usize = 20;
const MAX_TURNS: usize = 2_000;
const MAX_LABEL_LENGTH: usize = 1_000;

/// Creates the request of a caller that arrives now.
pub fn arriving_now(
    clock: &Clock,
    caller: Principal,
    operation: Operation,
    submission: Submission,
) -> GuardRequest {
    let correlation_id = CorrelationId::current().as_str().to_owned();
    GuardRequest::new(clock.now(), caller, operation, submission, correlation_id)
}

/// Reads the client's description of itself and its user.
pub fn sender(fields: Fields<'_>) -> Result<ClientInfo, FieldError> {
    let label = |field| Ok(fields.short_string(field, MAX_LABEL_LENGTH)?.map(str::to_owned));
    Ok(ClientInfo {
        context: label("context")?,
        source_app: label("source_app")?,
        device_id: label("device_id")?,
        username: label("username")?,
        conversation_id: label("conversation_id")?,
    })
}

/// Reads `conversation_history`: turns `{role, content}`; a string is a turn of the user.
pub fn history(fields: Fields<'_>) -> Result<Vec<Turn>, FieldError> {
    let items = fields.array("conversation_history", MAX_TURNS)?.unwrap_or_default();
    let read = |(at, item): (usize, &Value)| {
        turn(item).map_err(|error| error.under(&format!("conversation_history.{at}")))
    };
    items.iter().enumerate().map(read).collect()
}

fn turn(item: &Value) -> Result<Turn, FieldError> {
    const ROLES: [(&str, Role); 4] = [
        ("system", Role::System),
        ("user", Role::User),
        ("assistant", Role::Assistant),
        ("tool", Role::Tool),
    ];
    if let Some(content) = item.as_str() {
        return Ok(Turn::new(Role::User, content.to_owned()));
    }
    let fields = Fields::of(item, "content").map_err(|_| FieldError::required("content"))?;
    let role = fields.choice("role", &ROLES)?.ok_or_else(|| FieldError::required("role"))?;
    Ok(Turn::new(role, fields.required_string("content")?.to_owned()))
}

/// Reads `documents`: strings, or objects with a `text`.
pub fn documents(fields: Fields<'_>) -> Result<Vec<String>, FieldError> {
    let items = fields.array("documents", MAX_DOCUMENTS)?.unwrap_or_default();
    let read =
        |(at, item): (usize, &Value)| document(item).map_err(|error| error.under(&format!("documents.{at}")));
    items.iter().enumerate().map(read).collect()
}

fn document(item: &Value) -> Result<String, FieldError> {
    match item.as_str() {
        Some(text) => Ok(text.to_owned()),
        None => Ok(Fields::of(item, "text")
            .map_err(|_| FieldError::required("text"))?
            .required_string("text")?
            .to_owned()),
    }
}

/// Documents of a request: their texts, and the files whose text takes the place of an empty one.
#[derive(Debug, Default)]
pub struct Documents {
    /// Texts in order; empty for files.
    pub texts: Vec<String>,
    /// Files.
    pub files: Vec<DocumentFile>,
}

/// Reads `documents`: strings, objects with a `text`, or objects with a file as `data`.
pub fn documents_with_files(fields: Fields<'_>) -> Result<Documents, FieldError> {
    let items = fields.array("documents", MAX_DOCUMENTS)?.unwrap_or_default();
    let mut documents = Documents::default();
    for (at, item) in items.iter().enumerate() {
        let file = item.get("data").is_some_and(|data| !data.is_null());
        let (text, file) = if file {
            (
                String::new(),
                Some(document_file(at, item).map_err(|error| error.under(&format!("documents.{at}")))?),
            )
        } else {
            (document(item).map_err(|error| error.under(&format!("documents.{at}")))?, None)
        };
        documents.texts.push(text);
        documents.files.extend(file);
    }
    if documents.files.len() > MAX_FILES {
        return Err(FieldError::value("documents", format!("must have at most {MAX_FILES} files")));
    }
    Ok(documents)
}

fn document_file(at: usize, item: &Value) -> Result<DocumentFile, FieldError> {
    let fields = Fields::of(item, "data")?;
    let name = fields.short_string("name", MAX_LABEL_LENGTH)?.map(str::to_owned);
    let bytes = decode_base64(fields.required_string("data")?).filter(|bytes| !bytes.is_empty());
    let bytes =
        bytes.ok_or_else(|| FieldError::value("data", "must be a file in base64 or as a data URL"))?;
    Ok(DocumentFile { field: format!("documents.{at}.data"), name, bytes, origin: Origin::Document(at) })
}

/// Reads `pii_masking`: true, false, or `{enabled, strategy}`.
pub fn masking(fields: Fields<'_>) -> Result<RequestOptions, FieldError> {
    let Some(value) = fields.get("pii_masking") else { return Ok(RequestOptions::default()) };
    if let Some(mask) = value.as_bool() {
        return Ok(RequestOptions { mask, ..RequestOptions::default() });
    }
    let accepted =
        || FieldError::value("pii_masking", "must be true, false or an object with enabled and strategy");
    let fields = Fields::of(value, "pii_masking").map_err(|_| accepted())?;
    let asked = || {
        let mask = fields.boolean("enabled")?.unwrap_or(true);
        Ok(RequestOptions {
            mask,
            strategy: fields.choice("strategy", &Strategy::ALL)?,
            ..RequestOptions::default()
        })
    };
    asked().map_err(|error: FieldError| error.under("pii_masking"))
}

/// Refuses more `images` than the configuration admits.
pub fn at_most(most: usize, images: &[ImageFile]) -> Result<(), FieldError> {
    let refused = || FieldError::value("images", format!("must have at most {most} items"));
    if images.len() > most { Err(refused()) } else { Ok(()) }
}

/// Returns true if `Accept` contains a media type that begins like this (RFC 9110, section 12.5.1; weights are ignored).
pub fn accepts(headers: &HeaderMap, media_type: &str) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|one| one.trim().starts_with(media_type))
}
