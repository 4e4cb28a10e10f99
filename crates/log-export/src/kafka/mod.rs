//! Export of log entries to a Kafka topic.
//!
//! The key of a record is the organization's id, so that one partition holds all its entries. A batch is sent after all
//! in-sync replicas have acknowledged the previous one, so the order is preserved even when batches are repeated.

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
    published::Published,
    status::{Outcome, count},
};
use crate::settings;

/// Longest wait for the acknowledgement of a batch.
const ACK_TIMEOUT: Duration = Duration::from_secs(15);
/// Initial batch limit in bytes, slightly below Kafka's default limit of 1 MiB.
const INITIAL_BATCH_BYTES: usize = 1_000_000;
/// Number of, and delay between, attempts to send a batch to a moved partition.
const MAX_MOVES: u32 = 10;
const MOVE_DELAY: Duration = Duration::from_millis(300);
/// Maximum number of cached connections to partition leaders.
const MAX_CONNECTIONS: usize = 64;
/// Time without a response after which a broker is probed.
const PROBE_AFTER: Duration = Duration::from_secs(10);
/// Interval for counting partitions and renewing connections. Clouds close idle connections after four minutes, brokers
/// after ten.
const REFRESH_INTERVAL: Duration = Duration::from_mins(3);

/// Connection to a Kafka topic.
pub struct Kafka {
    cluster: Client,
    topic: String,
    partitions: i32,
    leaders: HashMap<i32, PartitionClient>,
    /// Current batch limit in bytes, lowered when the topic refuses a batch.
    max_batch_bytes: usize,
    last_response: Instant,
    last_refresh: Instant,
}

impl Kafka {
    /// Connects, and checks or creates the topic.
    pub async fn connect(config: &settings::Kafka) -> Result<Self, Error> {
        let (cluster, partitions) = connect::connect(config).await?;
        let (topic, now) = (config.topic.clone(), Instant::now());
        let leaders = HashMap::new();
        Ok(Self {
            cluster,
            topic,
            partitions,
            leaders,
            max_batch_bytes: INITIAL_BATCH_BYTES,
            last_response: now,
            last_refresh: now,
        })
    }

    /// Checks that a broker responds, unless one responded recently.
    pub async fn is_ready(&mut self) -> Result<(), Error> {
        if self.last_refresh.elapsed() > REFRESH_INTERVAL {
            self.refresh().await?;
        }
        if self.last_response.elapsed() < PROBE_AFTER {
            return Ok(());
        }
        let partition = self.leaders.keys().next().copied().unwrap_or_default();
        match self.probe(partition).await {
            Err(KafkaError::Moved(_)) => self.refresh().await,
            result => Ok(result?),
        }
    }

    /// Publishes log entries of an organization and waits for the acknowledgements.
    pub async fn publish(&mut self, org: Uuid, messages: Vec<Message>) -> Published {
        let key = org.to_string();
        let mut batches = Batches::new(messages, self.max_batch_bytes);
        let mut error = None;
        while error.is_none() && !batches.next().is_empty() {
            match self.send(&key, batches.next()).await {
                Ok(()) => batches.acknowledge(),
                Err(KafkaError::TooLarge) => error = batches.too_large().err().map(Error::from),
                Err(other) => error = Some(other.into()),
            }
        }
        self.max_batch_bytes = batches.max_bytes;
        Published { outcomes: batches.outcomes, error }
    }

    /// Sends a batch to the leader of its partition.
    async fn send(&mut self, key: &str, messages: &[Message]) -> Result<(), KafkaError> {
        let mut moves = 0;
        loop {
            match self.attempt(key, messages).await {
                Err(KafkaError::Moved(_)) if moves < MAX_MOVES => {
                    moves += 1;
                    sleep(MOVE_DELAY).await;
                    self.refresh().await.map_err(KafkaError::Error)?;
                }
                result => return result,
            }
        }
    }

    async fn attempt(&mut self, key: &str, messages: &[Message]) -> Result<(), KafkaError> {
        let partition = partition::of(key.as_bytes(), self.partitions);
        let records = messages.iter().map(|message| record::of(key, message)).collect();
        let produced = self.leader(partition).await?.produce(records, Compression::NoCompression);
        let error = match timeout(ACK_TIMEOUT, produced).await {
            Ok(Ok(_)) => {
                self.last_response = Instant::now();
                return Ok(());
            }
            Ok(Err(error)) => error::of(&self.topic, &error),
            Err(_) => KafkaError::Error(Error::Unacknowledged),
        };
        if let KafkaError::Error(Error::Unacknowledged | Error::Unreachable(_)) = error {
            count(Outcome::Unacknowledged, messages.len() as u64);
        }
        Err(error)
    }

    /// Requests the latest offset of a partition, to see that its leader responds.
    async fn probe(&mut self, partition: i32) -> Result<(), KafkaError> {
        let topic = self.topic.clone();
        answered(&topic, self.leader(partition).await?.get_offset(OffsetAt::Latest)).await?;
        self.last_response = Instant::now();
        Ok(())
    }

    /// Returns the connection to the leader of a partition.
    async fn leader(&mut self, partition: i32) -> Result<&PartitionClient, KafkaError> {
        if !self.leaders.contains_key(&partition) {
            if self.leaders.len() >= MAX_CONNECTIONS {
                self.leaders.clear();
            }
            let found = self.cluster.partition_client(&self.topic, partition, UnknownTopicHandling::Error);
            self.leaders.insert(partition, answered(&self.topic, found).await?);
        }
        self.leaders
            .get(&partition)
            .ok_or_else(|| KafkaError::Moved("the partition has no leader".to_owned()))
    }

    /// Drops the cached leaders and counts the partitions again.
    async fn refresh(&mut self) -> Result<(), Error> {
        self.leaders.clear();
        self.partitions = connect::partitions(&self.cluster, &self.topic).await?;
        let now = Instant::now();
        (self.last_response, self.last_refresh) = (now, now);
        Ok(())
    }
}
