//! The guard endpoints.

pub mod analyze;
pub mod audio;
pub mod fields;
pub mod images;
pub mod mask;
pub mod mask_image;
pub mod prompt;
pub mod unmask;
pub mod validate;
