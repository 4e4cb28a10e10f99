//! Streams of server-sent events: what an organisation's numbers are given to is followed by them, so that a reader who
//! comes back with the last one misses nothing.

mod follow;
mod limit;

pub use follow::{StreamSource, follow};
pub use limit::{StreamLimit, StreamPermit};
