//! Evaluation of policies over an organization's own labeled cases: datasets, runs in the background, and what follows
//! from their scores.

pub mod cases;
pub mod comparison;
pub mod feedback;
pub mod file;
pub mod report;
pub mod result;
pub mod runner;
pub mod sweep;

use uuid::Uuid;

/// Actions of audit entries.
pub mod actions {
    pub const CREATE_DATASET: &str = "EVALUATION:CREATE_DATASET";
    pub const DELETE_DATASET: &str = "EVALUATION:DELETE_DATASET";
    pub const START_RUN: &str = "EVALUATION:START_RUN";
    pub const CANCEL_RUN: &str = "EVALUATION:CANCEL_RUN";
    pub const DELETE_RUN: &str = "EVALUATION:DELETE_RUN";
}

/// Largest number of cases of a dataset.
pub const MAX_CASES: usize = 10_000;
/// Largest size of a dataset's cases, in bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// Longest text of a case, in characters.
pub const MAX_TEXT: usize = 20_000;
/// Datasets of an organization.
pub const MAX_DATASETS: i64 = 50;
/// Bytes of all cases of an organization.
pub const MAX_ORG_BYTES: i64 = 128 << 20;
/// Runs that an organization keeps.
pub const MAX_RUNS: i64 = 100;
/// Runs of an organization that are not finished.
pub const MAX_OPEN_RUNS: i64 = 10;

/// Returns the associated data of a sealed case.
pub fn case_aad(org: Uuid, dataset: Uuid, position: i64) -> String {
    format!("organization {org} dataset {dataset} case {position}")
}
