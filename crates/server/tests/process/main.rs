//! The binary as an operator meets it: commands beside a running service, and what a sudden end leaves behind.

mod backups;
mod crash;
mod events;
mod served;
mod tickets;
mod workers;
