//! What every endpoint shares: errors, bodies, callers, permissions, limits.

mod address;
mod admission;
mod body;
mod caller;
mod correlation;
mod error;
mod fallback;
mod key_in_body;
mod message;
pub mod metering;
mod page;
pub mod permission;
mod port;

pub use address::ClientAddress;
pub use admission::{Access, Endpoint, LimitName, admit};
pub use body::{Body, Form, FromFields, Json, PathEnd, PathId, Query, json, nullable_id, optional_id};
pub use caller::{Caller, Credential, principal_of_key, principal_of_user};
pub use correlation::{CorrelationId, correlate};
pub use error::{Answer, Error, ErrorBody};
pub use fallback::{method_not_allowed, not_found, panicked};
pub use message::Message;
pub use page::{PageOf, PageParameters, parsed};
pub use permission::{Permission, Permissions};
pub use port::serve;
