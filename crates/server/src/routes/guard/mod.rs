//! The guard endpoints.

pub mod analyze;
pub mod audio;
pub mod document_results;
pub mod image_results;
pub mod inputs;
pub mod mask;
pub mod mask_document;
pub mod mask_image;
pub mod prompt;
pub mod request;
pub mod unmask;
pub mod validate;
