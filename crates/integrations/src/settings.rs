//! Settings of integrations.

use std::time::Duration;

/// Ticket delivery.
#[derive(Clone, Copy, Debug)]
pub struct TicketSettings {
    /// Time during which similar incidents become comments on one ticket.
    pub window: Duration,
    /// Failed attempts after which a ticket fails for good.
    pub attempts: u32,
    /// Delay before searching for a ticket that may have been created; search results lag behind.
    pub settling: Duration,
}
