//! Labeled suites, detection metrics, reports, and a search for texts that pass.
//!
//! A suite is a file of labeled texts ([`suite`]). Any function from a [`LabeledText`] to a [`Prediction`] can be
//! evaluated. [`evaluate`] calls it for each text and reports, per suite and guardrail: separation of positives and
//! negatives ([`mod@auc`]), decisions at the shipped thresholds ([`confusion_matrix`]), calibration ([`calibration`]),
//! false positives on plain traffic ([`false_positive_cost`]), the personal data found ([`pii`]), and 95 % intervals
//! ([`bootstrap`]); and all texts by length, language and role ([`buckets`]), annotated ones by PII type, language and
//! format ([`pii_buckets`]).
//!
//! [`dilution`] sets attacks into harmless texts, [`comparison`] compares two reports, [`default_thresholds`] derives
//! thresholds from a report, and [`attack`] changes attacks until they pass.

pub mod attack;
pub mod auc;
pub mod bootstrap;
pub mod buckets;
pub mod calibration;
pub mod comparison;
pub mod confusion_matrix;
pub mod default_thresholds;
pub mod dilution;
pub mod false_positive_cost;
pub mod operating_points;
pub mod pii;
pub mod pii_buckets;
pub mod random;
pub mod report;
pub mod suite;
mod table;
pub mod text_result;

pub use false_positive_cost::Cost;
pub use operating_points::Point;
pub use report::{Prediction, Report, Thresholds, evaluate};
pub use suite::{ForAll, LabeledText, Negatives, read};
