//! What happened, asked for, followed, or told over webhooks.

mod filter;
pub mod list;
pub mod stream;
pub mod subscriptions;
