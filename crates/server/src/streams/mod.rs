//! Streams of server-sent events: what an organisation's numbers are given to is followed by them, so that a reader who
//! comes back with the last one misses nothing.

mod places;
mod tail;

pub use places::{Place, Streams};
pub use tail::{Followed, follow};
