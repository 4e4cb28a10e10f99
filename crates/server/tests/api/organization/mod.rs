//! The organization, its credits and its limits.

mod credits;
mod get;
mod limits;
mod update;
