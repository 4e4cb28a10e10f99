//! The binary as an operator meets it: commands beside a running service, and what a sudden end leaves behind.

mod backups;
mod copies;
mod crash;
mod engines;
mod events;
mod exports;
mod gate;
mod kafka;
mod nats;
mod outages;
mod replicas;
mod served;
mod tickets;
mod topics;
mod workers;
