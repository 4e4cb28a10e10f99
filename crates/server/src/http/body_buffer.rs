//! Buffers request bodies within their limits.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderValue, header, request::Parts},
};
use futures::StreamExt as _;

use super::{
    Error,
    body_budget::BodyShare,
    body_limits::{BODY_TIME, DRAINED},
    content_coding::ContentCoding,
};

const DRAIN_TIME: Duration = Duration::from_secs(2);

/// Buffers and decodes the body, so that its size is checked before anything is counted or charged.
pub(super) async fn buffer(limit: usize, request: Request, share: &mut BodyShare) -> Result<Request, Error> {
    let (parts, body) = request.into_parts();
    let declared = parts
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > limit) {
        return Err(drain(body, Error::too_large(limit)).await);
    }
    let bytes = match ContentCoding::of(&parts.headers) {
        Ok(None) => read(body, limit, share).await?,
        Ok(Some(coding)) => read_encoded(body, coding, limit, share).await?,
        Err(refusal) => return Err(drain(body, refusal).await),
    };
    Ok(with_decoded_body(parts, bytes))
}

/// Returns the request with a body that was read and decoded.
pub(super) fn with_decoded_body(mut parts: Parts, bytes: Bytes) -> Request {
    parts.headers.remove(header::CONTENT_ENCODING);
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    Request::from_parts(parts, Body::from(bytes))
}

/// Reads a body and decodes it. The decoded bytes count too.
pub(super) async fn read_encoded(
    body: Body,
    coding: ContentCoding,
    limit: usize,
    share: &mut BodyShare,
) -> Result<Bytes, Error> {
    let decoded = coding.decode(read(body, limit, share).await?, limit).await?;
    share.grow(decoded.len())?;
    Ok(decoded)
}

/// Reads and discards the rest of a refused body, within bounds, so that the client receives the response.
pub(super) async fn drain(body: Body, refusal: Error) -> Error {
    let rest = async {
        let mut stream = body.into_data_stream();
        let mut left = DRAINED;
        while let Some(Ok(chunk)) = stream.next().await {
            left = left.saturating_sub(chunk.len());
            if left == 0 {
                break;
            }
        }
    };
    // If the body is too slow or too large, the connection is closed anyway.
    let _drained = tokio::time::timeout(DRAIN_TIME, rest).await;
    refusal
}

async fn read(body: Body, limit: usize, share: &mut BodyShare) -> Result<Bytes, Error> {
    let reading = async {
        let (mut chunks, mut whole) = (body.into_data_stream(), Bytes::new());
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|_| Error::unreadable_body())?;
            if whole.len() + chunk.len() > limit {
                return Err(Error::too_large(limit));
            }
            share.grow(chunk.len())?;
            whole = joined(whole, chunk);
        }
        Ok(whole)
    };
    tokio::time::timeout(BODY_TIME, reading).await.map_err(|_| Error::body_timeout())?
}

/// Most bodies are one chunk, which is not copied.
fn joined(whole: Bytes, chunk: Bytes) -> Bytes {
    if whole.is_empty() {
        return chunk;
    }
    let mut bytes = Vec::from(whole);
    bytes.extend_from_slice(&chunk);
    bytes.into()
}
