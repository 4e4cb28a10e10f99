//! Datasets: created from files or feedback, listed, read and deleted.

pub mod cases;
pub mod create;
pub mod delete;
pub mod feedback;
pub mod get;
pub mod list;
pub mod preview;
