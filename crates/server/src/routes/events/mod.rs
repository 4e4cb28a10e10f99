//! Events: list, stream and webhook subscriptions.

mod filter;
pub mod list;
pub mod stream;
pub mod subscriptions;
