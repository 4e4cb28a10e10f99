//! The service as its clients meet it: over HTTP, one module a path.

mod access;
#[cfg(feature = "media")]
mod api_audio;
mod api_audit;
mod api_autonomous;
mod api_autonomous_challenge;
mod api_connectors;
mod api_connectors_test;
mod api_credits;
mod api_dashboard;
mod api_events;
mod api_events_subscriptions;
mod api_guardrails;
#[cfg(feature = "media")]
mod api_images;
mod api_keys;
mod api_logs;
mod api_logs_row;
mod api_logs_stream;
#[cfg(feature = "media")]
mod api_mask_image;
mod api_organization;
mod api_policy;
mod api_policy_compliance;
mod api_policy_generate;
mod api_policy_replay;
mod api_policy_test;
mod api_policy_versions;
mod api_project;
mod api_project_members;
mod api_reviews;
mod api_roles;
mod api_tickets;
mod api_users;
mod bad_input;
mod console;
mod conventions;
mod desks;
mod limits;
mod llm_reasoning;
mod llm_reasoning_faults;
mod login;
mod logout;
#[cfg(feature = "media")]
mod media_figures;
#[cfg(feature = "media")]
mod media_workers;
mod operations;
mod own_limits;
mod own_models;
#[cfg(feature = "media")]
#[path = "../../../media/tests/media/paper.rs"]
mod paper;
mod peers;
mod providers;
mod refresh;
mod select_org;
mod service;
mod session_laws;
mod shadow;
mod signing_keys;
mod switch_org;
mod token;
#[cfg(feature = "media")]
#[path = "../../../media/tests/media/voice.rs"]
mod voice;
#[cfg(feature = "whisper")]
mod whisper;
#[cfg(feature = "whisper")]
#[path = "../../../media/tests/media/whisper_model.rs"]
mod whisper_model;
