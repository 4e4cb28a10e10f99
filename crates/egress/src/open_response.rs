//! HTTP response whose body is read as it arrives.

use std::{fmt, time::Duration};

use reqwest::header::HeaderMap;
use tokio::{sync::OwnedSemaphorePermit, time::timeout};

use crate::{Error, client::transport_error};

/// A successful response whose body is still arriving. Dropping it closes the connection.
pub struct OpenResponse {
    response: reqwest::Response,
    _slot: OwnedSemaphorePermit,
}

// The body may contain confidential text.
impl fmt::Debug for OpenResponse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "OpenResponse({})", self.response.status())
    }
}

impl OpenResponse {
    pub(crate) const fn new(response: reqwest::Response, slot: OwnedSemaphorePermit) -> Self {
        Self { response, _slot: slot }
    }

    /// Returns the headers.
    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// Returns the next part of the body; `None` at its end. Fails if nothing arrives for so long.
    pub async fn chunk(&mut self, longest_wait: Duration) -> Result<Option<Vec<u8>>, Error> {
        let next = timeout(longest_wait, self.response.chunk()).await;
        let next = next.map_err(|_| Error::TimedOut(longest_wait))?;
        Ok(next.map_err(|error| transport_error(&error))?.map(Vec::from))
    }

    /// Reads the rest of the body, of at most so many bytes.
    pub async fn read(mut self, most: usize, longest_wait: Duration) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk(longest_wait).await? {
            body.extend_from_slice(&chunk);
            if body.len() > most {
                return Err(Error::TooLarge(most));
            }
        }
        Ok(body)
    }
}
