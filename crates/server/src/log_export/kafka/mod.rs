//! Rows published to a topic of Kafka.
//!
//! The rows of an organisation have its id as their key, so that one partition has them all. A batch is sent when the one
//! before it was acknowledged by all replicas in sync: none overtakes another, whatever is sent again.

mod batches;
mod connect;
mod error;
mod partition;
mod record;
mod tls;

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use rskafka::client::{
    Client,
    partition::{Compression, OffsetAt, PartitionClient, UnknownTopicHandling},
};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use self::{
    batches::Batches,
    error::{KafkaError, answered},
};
use super::{
    error::Error,
    message::Message,
    sink::Published,
    status::{Outcome, count},
};
use crate::config;

/// For a batch to be acknowledged.
const ACKNOWLEDGED: Duration = Duration::from_secs(15);
/// Bytes of a batch until a topic refuses one: a little less than Kafka's own limit of 1 MiB.
const BATCH: usize = 1_000_000;
/// How often, and how long apart, a batch is sent to where its partition moved.
const MOVES: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(300);
/// Partitions that are kept a connection for.
const CONNECTIONS: usize = 64;
/// A broker that said nothing for so long is asked whether it is there.
const QUIET: Duration = Duration::from_secs(10);
/// Between two looks for partitions that were added, when connections are made anew too: clouds end those that were idle for
/// four minutes, brokers those of ten.
const COUNTED: Duration = Duration::from_mins(3);

/// A cluster, with a topic that takes our rows.
pub struct Kafka {
    cluster: Client,
    topic: String,
    partitions: i32,
    leaders: HashMap<i32, PartitionClient>,
    /// Bytes of a batch, as far as it is known what the topic takes.
    batch: usize,
    heard: Instant,
    counted: Instant,
}

impl Kafka {
    /// Connects and makes sure of the topic.
    pub async fn connect(wanted: &config::Kafka) -> Result<Self, Error> {
        let (cluster, partitions) = connect::connect(wanted).await?;
        let (topic, now) = (wanted.topic.clone(), Instant::now());
        let leaders = HashMap::new();
        Ok(Self { cluster, topic, partitions, leaders, batch: BATCH, heard: now, counted: now })
    }

    /// Whether a broker answers, where none did for a while.
    pub async fn is_ready(&mut self) -> Result<(), Error> {
        if self.counted.elapsed() > COUNTED {
            self.look_again().await?;
        }
        if self.heard.elapsed() < QUIET {
            return Ok(());
        }
        let partition = self.leaders.keys().next().copied().unwrap_or_default();
        match self.newest(partition).await {
            Err(KafkaError::Moved(_)) => self.look_again().await,
            answer => Ok(answer?),
        }
    }

    /// Publishes an organisation's rows, and waits until the topic has them.
    pub async fn publish(&mut self, org: Uuid, rows: Vec<Message>) -> Published {
        let key = org.to_string();
        let mut batches = Batches::new(rows, self.batch);
        let mut fault = None;
        while fault.is_none() && !batches.next().is_empty() {
            match self.send(&key, batches.next()).await {
                Ok(()) => batches.arrived(),
                Err(KafkaError::TooLarge) => fault = batches.too_large().err().map(Error::from),
                Err(trouble) => fault = Some(trouble.into()),
            }
        }
        self.batch = batches.largest;
        Published { outcomes: batches.outcomes, fault }
    }

    /// Sends a batch to whoever leads its partition.
    async fn send(&mut self, key: &str, rows: &[Message]) -> Result<(), KafkaError> {
        let mut moves = 0;
        loop {
            match self.attempt(key, rows).await {
                Err(KafkaError::Moved(_)) if moves < MOVES => {
                    moves += 1;
                    sleep(BETWEEN).await;
                    self.look_again().await.map_err(KafkaError::Error)?;
                }
                answer => return answer,
            }
        }
    }

    async fn attempt(&mut self, key: &str, rows: &[Message]) -> Result<(), KafkaError> {
        let partition = partition::of(key.as_bytes(), self.partitions);
        let records = rows.iter().map(|row| record::of(key, row)).collect();
        let produced = self.leader(partition).await?.produce(records, Compression::NoCompression);
        let trouble = match timeout(ACKNOWLEDGED, produced).await {
            Ok(Ok(_)) => {
                self.heard = Instant::now();
                return Ok(());
            }
            Ok(Err(error)) => error::of(&self.topic, &error),
            Err(_) => KafkaError::Error(Error::Unacknowledged),
        };
        if let KafkaError::Error(Error::Unacknowledged | Error::Unreachable(_)) = trouble {
            count(Outcome::Unacknowledged, rows.len() as u64);
        }
        Err(trouble)
    }

    /// Asks for the end of a partition, so that its leader has to answer.
    async fn newest(&mut self, partition: i32) -> Result<(), KafkaError> {
        let topic = self.topic.clone();
        answered(&topic, self.leader(partition).await?.get_offset(OffsetAt::Latest)).await?;
        self.heard = Instant::now();
        Ok(())
    }

    /// The connection to whoever leads a partition.
    async fn leader(&mut self, partition: i32) -> Result<&PartitionClient, KafkaError> {
        if !self.leaders.contains_key(&partition) {
            if self.leaders.len() >= CONNECTIONS {
                self.leaders.clear();
            }
            let found = self.cluster.partition_client(&self.topic, partition, UnknownTopicHandling::Error);
            self.leaders.insert(partition, answered(&self.topic, found).await?);
        }
        self.leaders.get(&partition).ok_or_else(|| KafkaError::Moved("nobody leads it".to_owned()))
    }

    /// Forgets who leads, and counts the partitions anew.
    async fn look_again(&mut self) -> Result<(), Error> {
        self.leaders.clear();
        self.partitions = connect::partitions(&self.cluster, &self.topic).await?;
        let now = Instant::now();
        (self.heard, self.counted) = (now, now);
        Ok(())
    }
}
