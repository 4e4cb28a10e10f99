//! Errors of mail. Their texts contain nothing of a reply but its code, and no secret.

use std::error::Error as _;

use lettre::transport::smtp;

/// The reason for which a mail server cannot be used, or a message was not sent.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// The connection was refused or failed.
    #[error(transparent)]
    Egress(#[from] guardengine_egress::Error),
    /// A reply with a code other than 2xx and 3xx.
    #[error("the mail server answered {code}{meaning}")]
    Reply {
        /// Code of the reply (RFC 5321, section 4.2).
        code: u16,
        /// Most likely cause.
        meaning: &'static str,
    },
    /// Neither TLS from the start nor STARTTLS.
    #[error("the mail server offers no STARTTLS: use port 465, or a server that encrypts")]
    NotEncrypted,
    /// No mechanism that the service knows.
    #[error("the mail server accepts neither AUTH PLAIN nor AUTH LOGIN")]
    NoAuthentication,
    /// The session was broken off.
    #[error("the session with the mail server failed: {0}")]
    Session(String),
    /// The message cannot be composed.
    #[error("the message cannot be composed: {0}")]
    Message(String),
}

impl MailError {
    /// Returns true if a later attempt may succeed without a change.
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::Egress(_) | Self::Session(_) => true,
            Self::Reply { code, .. } => *code < 500,
            Self::NotEncrypted | Self::NoAuthentication | Self::Message(_) => false,
        }
    }
}

impl From<smtp::Error> for MailError {
    fn from(error: smtp::Error) -> Self {
        let Some(code) = error.status() else {
            if error.is_client() {
                return Self::NoAuthentication;
            }
            // The innermost cause is an error of the connection or of TLS. The others may quote a reply.
            let causes = std::iter::successors(error.source(), |error| (*error).source());
            let is_reply = error.is_response();
            let cause = causes.last().filter(|_| !is_reply).map(ToString::to_string);
            return Self::Session(cause.unwrap_or_else(|| "it sent an invalid reply".to_owned()));
        };
        let code = code.to_string().parse().unwrap_or(500);
        let meaning = match code {
            530 | 534 | 535 => ": the credentials are not accepted",
            550 | 551 | 553 => ": a sender or recipient is not accepted",
            421 | 450..=452 => ": it is busy",
            _ => "",
        };
        Self::Reply { code, meaning }
    }
}
