//! What surrounds a policy: its JSON in the API document, templates, drafts by a language model, compliance frameworks, and
//! what thresholds cost in false positives.

pub mod compliance;
pub mod draft;
pub mod measured_thresholds;
pub mod templates;
pub mod written;
