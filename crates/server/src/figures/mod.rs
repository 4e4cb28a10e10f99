//! The dashboard's figures: what is counted of a row, rows added up by the hour, and what is told of a period.

mod fresh;
mod latency;
mod roll_up;
mod tally;
mod told;

pub use fresh::Fresh;
pub use roll_up::roll_up;
pub use told::Figures;
