//! Extractors for bodies, queries and path parameters. Errors name the first invalid field.

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, RawPathParams, Request},
    http::{header, request::Parts},
};
use guardengine_engine::fields::{FieldError, Fields};
use serde_json::{Map, Value};
use uuid::Uuid;

pub use axum::Json;

use super::{Error, json_value::parse};

/// A type that can be read from the fields of a body.
pub trait FromFields: Sized {
    /// Query parameters that may be given several times; then their value is an array. Of others, the last one counts.
    const REPEATABLE: &'static [&'static str] = &[];

    /// Reads the fields in documented order.
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError>;
}

/// A JSON body.
#[derive(Debug)]
pub struct Body<T>(pub T);

/// A form, or JSON if the content type is `application/json`.
#[derive(Debug)]
pub struct Form<T>(pub T);

/// Query parameters.
#[derive(Debug)]
pub struct Query<T>(pub T);

/// The first path parameter, as an identifier.
#[derive(Clone, Copy, Debug)]
pub struct PathId(pub Uuid);

/// The last path parameter, as text.
#[derive(Clone, Debug)]
pub struct PathParam(pub String);

/// Parses the body as JSON, ignoring its content type.
pub async fn json<S: Send + Sync>(request: Request, state: &S) -> Result<Value, Error> {
    parse(&bytes(request, state).await?)
}

async fn bytes<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Error> {
    Bytes::from_request(request, state).await.map_err(|_| Error::unreadable_body())
}

fn read<T: FromFields>(value: &Value) -> Result<T, Error> {
    Ok(T::from_fields(Fields::of(value, "body")?)?)
}

/// Reads an identifier; `None` if the field is absent.
pub fn optional_id(fields: Fields<'_>, field: &str) -> Result<Option<Uuid>, FieldError> {
    let parse = |text: &str| text.parse().map_err(|_| FieldError::uuid(field));
    match fields.get(field) {
        None => Ok(None),
        Some(value) => value.as_str().ok_or_else(|| FieldError::uuid(field)).and_then(parse).map(Some),
    }
}

/// Reads an identifier that null removes: `None` if the field is absent, `Some(None)` if it is null.
pub fn nullable_id(fields: Fields<'_>, field: &str) -> Result<Option<Option<Uuid>>, FieldError> {
    if fields.is_null(field) { Ok(Some(None)) } else { Ok(optional_id(fields, field)?.map(Some)) }
}

impl<S: Send + Sync, T: FromFields> FromRequest<S> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        read(&json(request, state).await?).map(Self)
    }
}

impl<S: Send + Sync, T: FromFields> FromRequest<S> for Form<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let content_type = request.headers().get(header::CONTENT_TYPE);
        let is_json = content_type.is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
        let bytes = bytes(request, state).await?;
        let value = if is_json { parse(&bytes)? } else { form(&bytes)? };
        read(&value).map(Self)
    }
}

fn form(bytes: &[u8]) -> Result<Value, Error> {
    Ok(pairs(bytes)?.into_iter().map(|(name, value)| (name, Value::String(value))).collect())
}

fn pairs(bytes: &[u8]) -> Result<Vec<(String, String)>, Error> {
    serde_urlencoded::from_bytes(bytes)
        .map_err(|error| Error::unprocessable(format!("invalid form: {error}")))
}

fn query(text: &str, repeatable: &[&str]) -> Result<Value, Error> {
    let mut fields = Map::new();
    for (name, value) in pairs(text.as_bytes())? {
        let value = Value::String(value);
        match fields.get_mut(&name).filter(|_| repeatable.contains(&name.as_str())) {
            Some(Value::Array(several)) => several.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
            None => drop(fields.insert(name, value)),
        }
    }
    Ok(Value::Object(fields))
}

impl<S: Sync, T: FromFields> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        read(&query(parts.uri.query().unwrap_or_default(), T::REPEATABLE)?).map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let params = params(parts, state).await?;
        let (name, value) = params.iter().next().ok_or_else(unreadable)?;
        value.parse().map(Self).map_err(|_| Error::unprocessable(format!("invalid UUID format: {name}")))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathParam {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let params = params(parts, state).await?;
        let (_, value) = params.iter().last().ok_or_else(unreadable)?;
        Ok(Self(value.to_owned()))
    }
}

async fn params<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<RawPathParams, Error> {
    RawPathParams::from_request_parts(parts, state).await.map_err(|_| unreadable())
}

fn unreadable() -> Error {
    Error::unprocessable("invalid ID format")
}
