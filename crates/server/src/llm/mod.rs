//! Language models behind AI connectors: one question, one answer, within a time.
//!
//! A [`CompletionRequest`] goes to a connector in its provider's [format](formats); what comes back is text that somebody else
//! wrote, and is read strictly by whoever asked. Texts of others stand in a question between [fences](fenced).

mod client;
mod completion;
mod providers;
mod select;
mod untrusted_data;

pub use client::{LanguageModels, LlmError};
pub use completion::{CompletionRequest, object};
pub use select::ability;
pub use untrusted_data::{DelimitedData, fenced};
