//! Labelled suites, detection metrics and reports.
//!
//! A suite is a file of labelled texts ([`suite`]). Any function from a [`LabeledText`] to a [`Prediction`] can be evaluated.
//! [`evaluate`] calls it for each row and reports, per suite and guardrail: separation of positives and negatives
//! ([`auc`](mod@auc)), decisions at the shipped thresholds ([`confusion_matrix`]), calibration ([`calibration`]), false positives
//! on plain traffic ([`false_positive_cost`]), and the personal data found ([`pii`]).

pub mod auc;
pub mod calibration;
pub mod confusion_matrix;
pub mod false_positive_cost;
pub mod operating_points;
pub mod pii;
pub mod report;
pub mod suite;

pub use false_positive_cost::Cost;
pub use operating_points::Point;
pub use report::{Prediction, Report, Thresholds, evaluate};
pub use suite::{ForAll, LabeledText, Negatives, read};
