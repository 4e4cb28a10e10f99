//! What operators and browsers ask.

pub mod health;
pub mod metrics;
pub mod docs;
pub mod openapi;
pub mod home;
