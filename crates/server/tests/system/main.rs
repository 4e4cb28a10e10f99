//! The binary as an operator meets it: commands beside a running service, and what a sudden end leaves behind.

mod backups;
mod copies;
mod crash;
mod engines;
mod events;
#[cfg(all(feature = "nats", feature = "kafka"))]
mod exports;
mod gate;
#[cfg(feature = "kafka")]
mod kafka;
#[cfg(feature = "nats")]
mod nats;
mod outages;
mod replicas;
mod served;
mod tickets;
#[cfg(feature = "kafka")]
mod topics;
#[cfg(feature = "media")]
mod workers;
