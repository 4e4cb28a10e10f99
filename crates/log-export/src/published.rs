//! Result of publishing a batch.

use crate::{error::Error, status::Outcome};

/// Result of publishing a batch.
#[derive(Debug, Default)]
pub struct Published {
    /// Outcomes in order, up to the first entry that the broker does not have.
    pub outcomes: Vec<Outcome>,
    /// Error that ended the batch. Also `None` if the rest can be published at once.
    pub error: Option<Error>,
}
