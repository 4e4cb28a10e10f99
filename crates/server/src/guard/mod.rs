//! The use case behind every guard call: project → policy → credits → scores → verdict → durable row.

mod advised;
mod answering;
mod call;
pub mod decision;
pub mod judge;
pub mod models;
mod operation;
mod policies;
mod read;
mod row;
mod standing;
pub mod submission;
mod timing;
mod trial;

pub use answering::{Guard, Peers, text_place, token_place};
pub use call::{Answered, Call, Decided, Sender};
pub use operation::Operation;
pub use policies::Policies;
pub use standing::Standing;
pub use trial::Trial;
