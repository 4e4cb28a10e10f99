//! The guard endpoints.

pub mod analyze;
pub mod validate;
pub mod mask;
pub mod unmask;
pub mod fields;
