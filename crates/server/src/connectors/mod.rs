//! Connectors: other systems that an organisation lets the service use.
//!
//! [`TYPES`] is the one table of what they are. A stored connector is [`opened`](open) with its secrets to be used, over
//! [`Outgoing`](guardengine_egress::Outgoing) alone. What becomes of that is [kept](keep): its status follows it.

mod checks;
mod format;
mod openapi;
mod opened;
mod status;
mod types;
mod wanted;
mod watch;
pub mod webhook;

pub use checks::{authorised, check, says_of_connector, told};
pub use format::Format;
pub use openapi::with_types;
pub use opened::{Connector, open, sealed};
pub use status::{first_look, keep, keep_at, status_of};
pub use types::{Category, Field, Need, TYPES, Type, of_name};
pub use wanted::{Held, Wanted};
pub use watch::watch;
