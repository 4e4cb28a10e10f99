//! Errors of integrations. The messages are for the caller, except those of internal failures.

use guardengine_store::StoreError;

/// A refusal, or a failure of the service.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No enabled AI connector has a completion model.
    #[error("no active AI connector for the organisation")]
    NoAiConnector,
    /// The connector is of another category.
    #[error("AI generation is not supported for connector type {connector_type}; supported: {supported}")]
    NotAnAiConnector {
        /// Type of the connector.
        connector_type: String,
        /// Types with completion models.
        supported: String,
    },
    /// The connector names no completion model.
    #[error("the connector has no completion model")]
    NoCompletionModel,
    /// The connector's secrets cannot be opened.
    #[error(transparent)]
    Vault(#[from] guardengine_vault::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] guardengine_store::Error),
}

impl StoreError for Error {
    fn is_store_unavailable(&self) -> bool {
        match self {
            Self::Store(error) => error.is_unavailable(),
            Self::Vault(error) => error.is_store_unavailable(),
            _ => false,
        }
    }
}
