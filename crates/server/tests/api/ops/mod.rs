//! Endpoints for operators, and the API document.

mod engine;
mod health;
pub mod openapi;
mod pages;
mod traces;
