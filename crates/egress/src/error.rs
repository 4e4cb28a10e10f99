//! Why a call has no answer. What is told holds no secret, no body, and nothing of a tenant's address.

use std::time::Duration;

use crate::Response;

/// Which rule an address broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Blocked {
    /// It is no URL.
    #[error("must be an address such as https://example.com/path")]
    NotAnAddress,
    /// Another scheme than http and https.
    #[error("the address must begin with https://")]
    Scheme,
    /// http, where that is not allowed.
    #[error("the address must begin with https://, unless outgoing.allow_private is set")]
    NotEncrypted,
    /// A user name or password stands in it.
    #[error("the address must not hold a user name or a password")]
    Credentials,
    /// It leads, or its name is resolved, to a network that is out of reach.
    #[error("the address leads to {0}, which is not allowed")]
    Network(&'static str),
    /// A redirect to another scheme, host or port: what was sent along is not for them.
    #[error("the address redirects to another host")]
    Redirect,
    /// A header holds characters that HTTP does not have.
    #[error("a header would hold characters that HTTP does not allow")]
    Header,
}

/// Why a call has no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// It was not sent, or not sent on: the rule.
    #[error("not asked: {0}")]
    Refused(#[from] Blocked),
    /// It was not sent: the peer failed often lately. It is tried again after this time.
    #[error("not asked: it failed often lately, and is tried again in {} s", .0.as_secs() + 1)]
    Resting(Duration),
    /// It was not sent: too many calls are under way.
    #[error("not asked: too many calls are under way")]
    Busy,
    /// No connection, or one that broke; the reason in words.
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// No answer within the deadline.
    #[error("it did not answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// An answer of more bytes than were accepted.
    #[error("its answer has more than {0} bytes")]
    TooLarge(usize),
    /// An answer with another status than 2xx.
    #[error("it answered {}", .0.status)]
    Status(Box<Response>),
}

impl Error {
    /// The status that was answered, if any.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Status(answer) => Some(answer.status),
            _ => None,
        }
    }

    /// Whether the peer itself is to blame, and not what it was asked.
    pub(crate) fn is_failure(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::TimedOut(_) | Self::TooLarge(_) => true,
            Self::Status(answer) => answer.status >= 500 || answer.status == 429,
            Self::Refused(_) | Self::Resting(_) | Self::Busy => false,
        }
    }

    /// Whether the same call may fare better a little later.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Status(answer) => matches!(answer.status, 408 | 429 | 500 | 502 | 503 | 504),
            _ => false,
        }
    }
}
