//! What operators and browsers ask.

pub mod docs;
pub mod health;
pub mod home;
pub mod metrics;
pub mod openapi;
