//! Streams of server-sent events. Items have consecutive numbers within an organization, so that a client that reconnects
//! with the last number misses nothing.

mod follow;
mod limit;

pub use follow::{Follower, StreamSource, follow};
pub use limit::{StreamLimit, StreamPermit};
