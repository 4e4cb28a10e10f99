//! Connectors: other systems that an organisation lets the service use.
//!
//! [`TYPES`] is the one table of what they are. A stored connector is [`opened`](open) with its secrets to be used, over
//! [`Outgoing`](guardengine_egress::Outgoing) alone. What becomes of that is [kept](keep): its status follows it.

mod catalog;
mod field_format;
mod health_checks;
mod input;
mod monitor;
mod openapi;
mod secrets;
mod status;
pub mod webhook;

pub use catalog::{Category, ConnectorType, Field, Requirement, TYPES, of_name};
pub use field_format::Format;
pub use health_checks::{authorised, check, describe_error, is_connector_error};
pub use input::{ConnectorInput, CurrentFields};
pub use monitor::run;
pub use openapi::add_operations;
pub use secrets::{OpenConnector, open, sealed};
pub use status::{first_check_at, record_check, record_check_at, record_check_in, status_of};
