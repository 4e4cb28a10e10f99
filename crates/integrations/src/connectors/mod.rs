//! Connectors: external systems that an organization lets the service use.
//!
//! [`TYPES`] is the table of connector types. [`open`] decrypts the secrets of a stored connector for use; all requests go
//! through [`EgressClient`](guardengine_egress::EgressClient). [`record_check`] stores the result of a check or a use, from
//! which the status follows.

mod catalog;
mod field_format;
mod health_checks;
mod input;
mod monitor;
mod secrets;
mod status;

pub use catalog::{Category, ConnectorType, Field, Requirement, TYPES, of_name};
pub use field_format::Format;
pub use health_checks::{authorised, check, describe_error, is_connector_error};
pub use input::{ConnectorInput, CurrentFields};
pub(crate) use monitor::Checks;
pub use secrets::{OpenConnector, open, sealed};
pub use status::{first_check_at, record_check, record_check_in, status_of};
