//! Fixtures and fake third parties that the tests of several crates share.
//!
//! Fake servers listen on ports of 127.0.0.1 and answer as the vendors document it. They show how the service behaves,
//! not how the vendors' systems do. The crate knows no other crate of the workspace, so that a change of the service
//! does not rebuild it.

#[cfg(feature = "media")]
pub mod documents;
#[cfg(feature = "media")]
pub mod drawn_face;
#[cfg(feature = "media")]
pub mod drawn_skin;
#[cfg(feature = "servers")]
pub mod fake_mail;
#[cfg(feature = "servers")]
pub mod fake_server;
#[cfg(feature = "servers")]
pub mod language_model;
pub mod models;
#[cfg(feature = "media")]
pub mod page;
#[cfg(feature = "servers")]
pub mod poll;
#[cfg(feature = "servers")]
pub mod ticketing;
#[cfg(feature = "servers")]
pub mod transcriber;
pub mod transcript_score;
#[cfg(feature = "media")]
pub mod voice;
pub mod whisper_model;
