//! Shared parts of endpoints: admission, callers, bodies, pages, errors.

mod admission;
mod base_path;
mod body;
mod body_api_key;
mod body_budget;
mod body_buffer;
mod body_limits;
mod caller;
mod client_ip;
mod content_coding;
mod error;
mod json_value;
pub mod layers;
mod listener;
mod message;
mod names;
mod page;
pub mod rate_limit;
pub mod sse;
mod upload;

pub use admission::{Access, Admission, AdmissionState, Endpoint, LimitName, admit};
pub use base_path::under;
pub use body::{Body, Form, FromFields, Json, PathId, PathParam, Query, json, nullable_id, optional_id};
pub use body_budget::BodyBudget;
pub use caller::Caller;
pub use client_ip::ClientIp;
pub use error::{Answer, Error, ErrorParts};
pub use json_value::parse as parse_json;
pub use layers::{
    CorrelationId, accepts_gzip, check_message, compress, correlate, method_not_allowed, not_found, panicked,
    trace,
};
pub use listener::{PeerLimit, serve};
pub use message::MessageBody;
pub use names::{changed_name, new_name, required_name};
pub use page::{NumberedPageParameters, PageParameters, PageQuery, parsed};
pub use upload::Upload;
