//! Every row of the log as a message of a NATS JetStream stream, or as a record of a Kafka topic, for warehouses.
//!
//! One replica exports at a time: the one that holds the [lease](worker). It reads the rows of each organisation
//! [page by page](page) in the order of their numbers, [publishes](broker) them, and moves the organisation's position once
//! the broker acknowledged them. Whoever is killed before that publishes them again under the same ids: of such messages
//! JetStream keeps one, a topic all. Guards have no part in it: they never wait for a broker.

mod batch;
mod error;
mod exporter;
#[cfg(feature = "kafka")]
mod kafka;
mod message;
#[cfg(feature = "nats")]
mod nats;
mod sink;
mod status;

pub use exporter::export;
#[cfg(feature = "nats")]
pub use nats::Subject;
pub use status::{ExportStatus, StatusReport};
