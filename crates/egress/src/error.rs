//! Errors of outgoing calls. Their texts contain no secret, no body and no part of a tenant's address.

use std::time::Duration;

use crate::Response;

/// Rule that an address or request violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Blocked {
    /// Not a URL.
    #[error("must be an address such as https://example.com/path")]
    NotAnAddress,
    /// A scheme other than http and https.
    #[error("the address must begin with https://")]
    Scheme,
    /// http where the policy requires https.
    #[error("the address must begin with https://, unless outgoing.allow_private is set")]
    NotEncrypted,
    /// Contains a user name or password.
    #[error("the address must not hold a user name or a password")]
    Credentials,
    /// Is, or resolves to, an address in a network that the policy blocks.
    #[error("the address leads to {0}, which is not allowed")]
    Network(&'static str),
    /// Redirects to another scheme, host or port, which must not receive the request's secrets.
    #[error("the address redirects to another host")]
    Redirect,
    /// A header contains characters that HTTP does not allow.
    #[error("a header contains characters that HTTP does not allow")]
    Header,
}

/// Error of an outgoing call.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The request, or a redirected one, was blocked before it was sent.
    #[error("not sent: {0}")]
    Blocked(#[from] Blocked),
    /// Not sent because the circuit is open: the destination failed repeatedly. Holds the time until the next attempt.
    #[error("not sent: repeated failures; next attempt in {} s", .0.as_secs() + 1)]
    CircuitOpen(Duration),
    /// Not sent because too many calls to the destination are in progress.
    #[error("not sent: too many calls in progress")]
    Busy,
    /// The connection failed or was lost. Holds the reason.
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// No response within the deadline.
    #[error("no response within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// The response exceeds the accepted size in bytes.
    #[error("the response is larger than {0} bytes")]
    TooLarge(usize),
    /// A response with a status other than 2xx.
    #[error("it answered {}", .0.status)]
    Status(Box<Response>),
}

impl Error {
    /// Returns the HTTP status, if a response was received.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Status(response) => Some(response.status),
            _ => None,
        }
    }

    /// Returns whether the destination caused the error, and not the request.
    pub(crate) fn is_failure(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::TimedOut(_) | Self::TooLarge(_) => true,
            Self::Status(response) => response.status >= 500 || response.status == 429,
            Self::Blocked(_) | Self::CircuitOpen(_) | Self::Busy => false,
        }
    }

    /// Returns whether the same call may succeed when it is retried.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Status(response) => matches!(response.status, 408 | 429 | 500 | 502 | 503 | 504),
            _ => false,
        }
    }
}
