//! The guard endpoints.

pub mod analyze;
pub mod fields;
pub mod mask;
pub mod unmask;
pub mod validate;
