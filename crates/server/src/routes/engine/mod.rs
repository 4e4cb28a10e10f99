//! The state of the service, for operators.

pub mod status;
