//! Destination of the export, independent of the broker.

use uuid::Uuid;

use crate::{error::Error, message::Message, published::Published, settings::LogExport};

#[cfg(feature = "kafka")]
use crate::kafka::Kafka;
#[cfg(feature = "nats")]
use crate::nats::Nats;

/// Connection to the configured broker.
pub enum Sink {
    /// NATS JetStream.
    #[cfg(feature = "nats")]
    Nats(Box<Nats>),
    /// Kafka.
    #[cfg(feature = "kafka")]
    Kafka(Box<Kafka>),
}

impl Sink {
    /// Connects, and checks or creates the stream or topic.
    pub async fn connect(config: &LogExport) -> Result<Self, Error> {
        Ok(match *config {
            #[cfg(feature = "nats")]
            LogExport::Nats(ref config) => Self::Nats(Box::new(Nats::connect(config).await?)),
            #[cfg(feature = "kafka")]
            LogExport::Kafka(ref config) => Self::Kafka(Box::new(Kafka::connect(config).await?)),
        })
    }

    /// Checks that log entries could be published now.
    pub async fn is_ready(&mut self) -> Result<(), Error> {
        match *self {
            #[cfg(feature = "nats")]
            Self::Nats(ref mut nats) => nats.is_ready(),
            #[cfg(feature = "kafka")]
            Self::Kafka(ref mut kafka) => kafka.is_ready().await,
        }
    }

    /// Publishes log entries of an organization and waits for the acknowledgements.
    pub async fn publish(&mut self, org: Uuid, messages: Vec<Message>) -> Published {
        match *self {
            #[cfg(feature = "nats")]
            Self::Nats(ref mut nats) => nats.publish(org, messages).await,
            #[cfg(feature = "kafka")]
            Self::Kafka(ref mut kafka) => kafka.publish(org, messages).await,
        }
    }
}
