//! Language models behind AI connectors: one request, one response, within a timeout.
//!
//! A [`CompletionRequest`] is sent in the format of the connector's provider (`providers`). The response is untrusted text,
//! which callers parse strictly. Untrusted texts in a request are [delimited](fenced).

mod client;
mod completion;
pub mod gateway;
mod providers;
mod select;
mod untrusted_data;

pub use client::{LanguageModels, LlmError};
pub use completion::{CompletionRequest, object};
pub use select::ability;
pub use untrusted_data::{DelimitedData, fenced};
