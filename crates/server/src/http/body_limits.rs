//! Limits of receiving a request body.

use std::time::Duration;

/// Time limit for receiving a body.
pub(super) const BODY_TIME: Duration = Duration::from_secs(30);
/// Maximum number of bytes read and discarded from a refused body.
pub(super) const DRAINED: usize = 64 << 20;
