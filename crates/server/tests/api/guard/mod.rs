//! Guard endpoints: text, images and audio.

#[cfg(feature = "media")]
mod audio;
mod coverage;
mod custom_models;
mod custom_pii;
mod decisions;
mod documents;
#[cfg(feature = "media")]
mod images;
#[cfg(feature = "media")]
mod mask_document;
mod mask_image;
#[cfg(feature = "media")]
mod media_quality;
#[cfg(feature = "media")]
mod media_workers;
mod second_opinion;
mod second_opinion_errors;
mod shadow_policy;
mod turns;
#[cfg(feature = "whisper")]
mod whisper;
