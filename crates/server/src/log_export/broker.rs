//! Where rows are published, whatever speaks there.

use uuid::Uuid;

use super::{fault::Fault, kafka::Kafka, message::Message, nats::Nats, standing::Outcome};
use crate::config::LogExport;

/// What takes rows.
pub enum Broker {
    /// JetStream.
    Nats(Box<Nats>),
    /// Kafka.
    Kafka(Box<Kafka>),
}

/// How far the rows of a page came.
#[derive(Debug, Default)]
pub struct Published {
    /// What became of each, in their order, until the first that the broker does not have.
    pub outcomes: Vec<Outcome>,
    /// Why it went no further. `None` too where the rest can be published at once.
    pub fault: Option<Fault>,
}

impl Broker {
    /// Connects and makes sure of the stream or the topic.
    pub async fn connect(wanted: &LogExport) -> Result<Self, Fault> {
        Ok(match wanted {
            LogExport::Nats(wanted) => Self::Nats(Box::new(Nats::connect(wanted).await?)),
            LogExport::Kafka(wanted) => Self::Kafka(Box::new(Kafka::connect(wanted).await?)),
        })
    }

    /// Whether rows could be published now.
    pub async fn stands(&mut self) -> Result<(), Fault> {
        match self {
            Self::Nats(nats) => nats.stands(),
            Self::Kafka(kafka) => kafka.stands().await,
        }
    }

    /// Publishes an organisation's rows, and waits until the broker has them.
    pub async fn publish(&mut self, org: Uuid, rows: Vec<Message>) -> Published {
        match self {
            Self::Nats(nats) => nats.publish(org, rows).await,
            Self::Kafka(kafka) => kafka.publish(org, rows).await,
        }
    }
}
