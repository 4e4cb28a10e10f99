//! Policies apart from their evaluation: JSON in the API document, templates, drafts by a language model, compliance
//! frameworks, PII types, and the false-positive rates of thresholds.

pub mod compliance;
pub mod draft;
pub mod measured_thresholds;
pub mod pii_types;
pub mod templates;
pub mod topics;
pub mod written;
