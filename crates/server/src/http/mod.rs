//! Shared parts of endpoints: admission, callers, bodies, pages, errors.

mod admission;
mod body;
mod body_api_key;
mod caller;
mod client_ip;
mod correlation;
mod error;
mod fallback;
mod listener;
mod message;
pub mod metering;
pub mod metric_catalog;
mod page;
pub mod rate_limit;
pub mod sse;
mod upload;

pub use admission::{Access, Admission, AdmissionState, Endpoint, LimitName, admit};
pub use body::{Body, Form, FromFields, Json, PathId, PathParam, Query, json, nullable_id, optional_id};
pub use caller::Caller;
pub use client_ip::ClientIp;
pub use correlation::{CorrelationId, correlate};
pub use error::{Answer, Error};
pub use fallback::{method_not_allowed, not_found, panicked};
pub use listener::serve;
pub use message::MessageBody;
pub use page::{PageParameters, PageQuery, parsed};
pub use upload::Upload;
