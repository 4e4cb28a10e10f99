//! Events, as a list, a stream and through webhooks.

pub mod list;
mod subscriptions;
