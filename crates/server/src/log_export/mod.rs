//! Every row of the log as a message of a NATS JetStream stream, for warehouses.
//!
//! One replica exports at a time: the one that holds the [lease](worker). It reads the rows of each organisation
//! [page by page](page) in the order of their numbers, [publishes](broker) them, and moves the organisation's position once
//! JetStream acknowledged them. Whoever is killed before that publishes them again under the same message ids, of which
//! JetStream keeps one. Guards have no part in it: they never wait for a broker.

mod broker;
mod connecting;
mod fault;
mod message;
mod page;
mod standing;
mod subject;
mod worker;

pub use standing::{Standing, Told};
pub use subject::Subject;
pub use worker::export;
