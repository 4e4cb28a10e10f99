//! `multipart/form-data` bodies (RFC 7578): a file, and the fields of JSON bodies.

use axum::{
    body::Bytes,
    extract::{FromRequest, Multipart, Request},
};
use guardengine_engine::fields::{FieldError, Fields};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::http::{Error, FromFields, json_value::parse};

/// Fields whose values are JSON instead of strings.
const STRUCTURED: [&str; 6] =
    ["conversation_history", "documents", "enable_llm_reasoning", "pii_masking", "silence_pii", "images"];

/// An uploaded file with its fields.
#[derive(Debug)]
pub struct Upload<T> {
    /// Contents of the file.
    pub file: Bytes,
    /// Name of the file, if the part carries one.
    pub name: Option<String>,
    /// The other fields.
    pub fields: T,
}

impl<S: Send + Sync, T: FromFields> FromRequest<S> for Upload<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let invalid = |error: String| Error::unprocessable(format!("invalid multipart: {error}"));
        let multipart = Multipart::from_request(request, state).await;
        let mut multipart = multipart.map_err(|error| invalid(error.body_text()))?;
        let (mut file, mut file_name, mut fields) = (None, None, Map::new());
        while let Some(part) = multipart.next_field().await.map_err(|error| invalid(error.body_text()))? {
            let name = part.name().unwrap_or_default().to_owned();
            let named = part.file_name().map(str::to_owned);
            let bytes = part.bytes().await.map_err(|error| invalid(error.body_text()))?;
            if name == "file" {
                (file, file_name) = (Some(bytes), named);
            } else {
                fields.insert(name.clone(), value(&name, &bytes)?);
            }
        }
        let file = file.filter(|file| !file.is_empty()).ok_or_else(|| FieldError::required("file"))?;
        let fields = T::from_fields(Fields::of(&Value::Object(fields), "body")?)?;
        Ok(Self { file, name: file_name, fields })
    }
}

fn value(name: &str, bytes: &[u8]) -> Result<Value, Error> {
    let text = std::str::from_utf8(bytes).map_err(|_| FieldError::value(name, "must be UTF-8"))?;
    if STRUCTURED.contains(&name) && serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return parse(bytes);
    }
    Ok(Value::String(text.to_owned()))
}
