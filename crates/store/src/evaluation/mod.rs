//! Datasets of labeled cases, and runs of policy versions over them.

mod datasets;
mod queue;
mod runs;

pub use datasets::{DatasetLimits, DatasetRefusal, EvaluationDataset};
pub use runs::{EvaluationRun, StartedRun};
