//! Evaluation of policies over datasets of labeled cases.

mod access;
pub mod datasets;
mod response;
pub mod runs;
