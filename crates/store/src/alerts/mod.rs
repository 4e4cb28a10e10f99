//! Alert rules of an organization, their state, and the messages that they send.

mod counts;
mod deliveries;
mod rules;
mod state;

pub use counts::LogCounts;
pub use deliveries::{AlertDelivery, NewAlertDelivery};
pub use rules::{AlertFields, AlertRule, MAX_ALERT_RULES};
pub use state::{AlertCheck, AlertTransition};
