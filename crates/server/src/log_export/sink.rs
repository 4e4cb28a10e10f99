//! Where rows are published, whatever speaks there.

use uuid::Uuid;

#[cfg(feature = "kafka")]
use super::kafka::Kafka;
#[cfg(feature = "nats")]
use super::nats::Nats;
use super::{error::Error, message::Message, status::Outcome};
use crate::config::LogExport;

/// What takes rows.
pub enum Sink {
    /// JetStream.
    #[cfg(feature = "nats")]
    Nats(Box<Nats>),
    /// Kafka.
    #[cfg(feature = "kafka")]
    Kafka(Box<Kafka>),
}

/// How far the rows of a page came.
#[derive(Debug, Default)]
pub struct Published {
    /// What became of each, in their order, until the first that the broker does not have.
    pub outcomes: Vec<Outcome>,
    /// Why it went no further. `None` too where the rest can be published at once.
    pub fault: Option<Error>,
}

impl Sink {
    /// Connects and makes sure of the stream or the topic.
    pub async fn connect(wanted: &LogExport) -> Result<Self, Error> {
        Ok(match *wanted {
            #[cfg(feature = "nats")]
            LogExport::Nats(ref wanted) => Self::Nats(Box::new(Nats::connect(wanted).await?)),
            #[cfg(feature = "kafka")]
            LogExport::Kafka(ref wanted) => Self::Kafka(Box::new(Kafka::connect(wanted).await?)),
        })
    }

    /// Whether rows could be published now.
    pub async fn is_ready(&mut self) -> Result<(), Error> {
        match *self {
            #[cfg(feature = "nats")]
            Self::Nats(ref mut nats) => nats.is_ready(),
            #[cfg(feature = "kafka")]
            Self::Kafka(ref mut kafka) => kafka.is_ready().await,
        }
    }

    /// Publishes an organisation's rows, and waits until the broker has them.
    pub async fn publish(&mut self, org: Uuid, rows: Vec<Message>) -> Published {
        match *self {
            #[cfg(feature = "nats")]
            Self::Nats(ref mut nats) => nats.publish(org, rows).await,
            #[cfg(feature = "kafka")]
            Self::Kafka(ref mut kafka) => kafka.publish(org, rows).await,
        }
    }
}
