//! The guard endpoints.

pub mod analyze;
pub mod fields;
pub mod mask;
pub mod prompt;
pub mod unmask;
pub mod validate;
