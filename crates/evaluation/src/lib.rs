//! Labelled suites, detection metrics and reports.
//!
//! A suite is a file of labelled texts ([`row`]). Any function from a [`Row`] to a [`Judgement`] can be evaluated.
//! [`evaluate`] calls it for each row and reports, per suite and guardrail: separation of positives and negatives
//! ([`ranking`]), decisions at the shipped thresholds ([`operating`]), calibration ([`reliability`]), false positives
//! on plain traffic ([`budget`]), and the personal data found ([`pii`]).

pub mod budget;
pub mod operating;
pub mod pii;
pub mod points;
pub mod ranking;
pub mod reliability;
pub mod report;
pub mod row;

pub use budget::Cost;
pub use points::Point;
pub use report::{Judgement, Report, Thresholds, evaluate};
pub use row::{Every, Negatives, Row, read};
