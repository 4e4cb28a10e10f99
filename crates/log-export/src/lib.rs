//! Log export: publishes every log entry to a NATS JetStream stream or a Kafka topic, for data warehouses.
//!
//! One replica exports at a time: the one that holds the lease (`exporter`). It reads the log entries of each organization
//! in batches (`batch`), in sequence order, publishes (`sink`) them, and moves the organization's position after the broker
//! has acknowledged them. After a crash before that, entries are published again with the same ids. JetStream drops such
//! duplicates, Kafka keeps them. Guard requests never wait for a broker.
//!
//! This crate depends on the store, whose entries it reads, and on the shape of a log entry. It never sees who reads them.

// The nested futures of the brokers' clients exceed the default limit of 128 when the compiler computes their layout.
#![recursion_limit = "256"]
#![cfg_attr(
    not(any(feature = "kafka", feature = "nats")),
    expect(
        dead_code,
        unreachable_code,
        unused_variables,
        reason = "nothing is exported without a destination"
    )
)]

mod batch;
mod error;
mod exporter;
#[cfg(feature = "kafka")]
mod kafka;
mod message;
#[cfg(feature = "nats")]
mod nats;
mod published;
mod settings;
mod sink;
mod status;

#[cfg(feature = "nats")]
pub use async_nats::ServerAddr;
pub use exporter::Exporter;
#[cfg(feature = "nats")]
pub use nats::Subject;
pub use settings::{BrokerSecret, LogExport};
#[cfg(feature = "kafka")]
pub use settings::{Kafka, Login, Mechanism, NewTopic};
#[cfg(feature = "nats")]
pub use settings::{Nats, SignIn};
pub use status::{ExportStatus, StatusReport};
