//! The use case behind every guard call: project → policy → credits → scores → verdict → durable row.

mod call;
pub mod decision;
pub mod judge;
mod policies;
mod row;
pub mod submission;

pub use call::{Answered, Call, Guard, Operation, Sender, token_place};
pub use policies::Policies;
