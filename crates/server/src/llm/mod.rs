//! Language models behind AI connectors: one question, one answer, within a time.
//!
//! A [`Question`] goes to a connector in its provider's [format](formats); what comes back is text that somebody else
//! wrote, and is read strictly by whoever asked. Texts of others stand in a question between [fences](fenced).

mod ask;
mod choice;
mod fence;
mod formats;
mod question;

pub use ask::{LanguageModels, Unanswered};
pub use choice::ability;
pub use fence::{Fenced, fenced};
pub use question::{Question, object};
