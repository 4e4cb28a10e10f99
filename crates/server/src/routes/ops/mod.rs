//! Endpoints for operators and browsers.

pub mod docs;
pub mod health;
pub mod home;
pub mod metrics;
pub mod openapi;
