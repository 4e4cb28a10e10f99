//! Shared parts of endpoints: errors, bodies, principals, permissions, limits.

mod admission;
mod body;
mod body_api_key;
mod client_ip;
mod correlation;
mod error;
mod fallback;
mod listener;
mod message;
pub mod metering;
pub mod metric_catalog;
mod page;
pub mod permission;
mod principal;

pub use admission::{Access, Endpoint, LimitName, admit};
pub use body::{Body, Form, FromFields, Json, PathId, PathParam, Query, json, nullable_id, optional_id};
pub use client_ip::ClientIp;
pub use correlation::{CorrelationId, correlate};
pub use error::{Answer, Error, ErrorBody};
pub use fallback::{method_not_allowed, not_found, panicked};
pub use listener::serve;
pub use message::MessageBody;
pub use page::{PageParameters, PageQuery, parsed};
pub use permission::{Permission, Permissions};
pub use principal::{Credential, Principal, principal_of_key, principal_of_user};
