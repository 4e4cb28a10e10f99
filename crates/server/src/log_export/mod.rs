//! Log export: publishes every log entry to a NATS JetStream stream or a Kafka topic, for data warehouses.
//!
//! One replica exports at a time: the one that holds the [lease](exporter). It reads the log entries of each organization
//! [in batches](batch), in sequence order, [publishes](sink) them, and moves the organization's position after the broker
//! has acknowledged them. After a crash before that, entries are published again with the same ids. JetStream drops such
//! duplicates, Kafka keeps them. Guard requests never wait for a broker.

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
