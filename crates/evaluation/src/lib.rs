//! Labelled suites, detection metrics and reports.
//!
//! A suite is a file of labelled texts ([`row`]). Whoever can turn a [`Row`] into a [`Judgement`] can be evaluated:
//! [`evaluate`] asks for a judgement on each row and sums up, per suite and guardrail, how well positives and
//! negatives are told apart ([`ranking`]), what happens at the shipped thresholds ([`operating`]), whether confidences
//! mean what they say ([`reliability`]), what a threshold costs on plain traffic ([`budget`]), and how much personal data is found ([`pii`]).

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
