//! Errors of guard calls. The messages are for the caller, except those of internal failures.

use std::{borrow::Cow, fmt::Display};

use guardengine_store::StoreError;

/// A refusal, or a failure of the service.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller may not use the project.
    #[error(transparent)]
    Auth(#[from] guardengine_auth::Error),
    /// A connector cannot be used.
    #[error(transparent)]
    Integration(#[from] guardengine_integrations::Error),
    /// The object does not exist, or belongs to another organization.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// The connector cannot transcribe.
    #[error("the connector has no transcription model")]
    NoTranscriptionModel,
    /// The connector is disabled.
    #[error("connector not active")]
    InactiveConnector,
    /// The balance is lower than the price.
    #[error("insufficient credits: {operation} needs {needs}, balance is {balance}")]
    InsufficientCredits {
        /// Name of the price.
        operation: String,
        /// Price of the call.
        needs: i64,
        /// Balance of the organization.
        balance: i64,
    },
    /// The organization requires a project, and the call has none.
    #[error("field required: projectId")]
    ProjectRequired,
    /// The texts are longer than any policy allows.
    #[error("request body too large: at most {0} bytes are accepted")]
    TooLarge(usize),
    /// An attached file is invalid.
    #[error("{field}: {reason}")]
    InvalidFile {
        /// Field of the request.
        field: String,
        /// Description of the problem with the file.
        reason: String,
    },
    /// The challenge cannot be answered with this call.
    #[error("challenge {0}")]
    Challenge(&'static str),
    /// Another runner has the job, or it was deleted.
    #[error("the job was taken over")]
    JobLost,
    /// The service stopped or crashed in every attempt of a job.
    #[error("interrupted {0} times")]
    Interrupted(i64),
    /// Nothing was evaluated, so nothing is allowed. A retry may succeed.
    #[error("{0}")]
    Unavailable(Cow<'static, str>),
    /// Secrets cannot be opened.
    #[error(transparent)]
    Vault(#[from] guardengine_vault::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] guardengine_store::Error),
    /// A failure that is not the caller's.
    #[error("{0}")]
    Internal(String),
}

impl Error {
    /// Creates [`Self::Unavailable`].
    pub(crate) fn unavailable(message: impl Into<Cow<'static, str>>) -> Self {
        Self::Unavailable(message.into())
    }

    /// Creates [`Self::Internal`].
    pub(crate) fn internal(cause: impl Display) -> Self {
        Self::Internal(cause.to_string())
    }
}

impl StoreError for Error {
    fn is_store_unavailable(&self) -> bool {
        match self {
            Self::Auth(error) => error.is_store_unavailable(),
            Self::Integration(error) => error.is_store_unavailable(),
            Self::Vault(error) => error.is_store_unavailable(),
            Self::Store(error) => error.is_unavailable(),
            _ => false,
        }
    }
}
