//! Connection to Kafka: brokers, credentials, and the topic.

use std::{sync::Arc, time::Duration};

use rskafka::{
    BackoffConfig,
    client::{
        Client, ClientBuilder, Credentials, SaslConfig,
        error::{Error as ClientError, ProtocolError},
    },
};
use tokio::time::sleep;

use super::{error::answered, tls};
use crate::{
    error::Error,
    settings::{Kafka, Login, Mechanism, NewTopic},
};

/// Largest response of a broker in bytes. The largest one lists all topics of the cluster.
const MAX_RESPONSE_BYTES: usize = 64 << 20;
/// Timeout of the controller for creating a topic, in milliseconds.
const CREATE_TIMEOUT_MS: i32 = 5000;
/// Number of, and delay between, attempts to find a topic that was just created.
const MAX_LOOKUPS: u32 = 10;
const LOOKUP_DELAY: Duration = Duration::from_millis(300);

/// Connects and returns the client and the number of partitions of the topic.
pub async fn connect(config: &Kafka) -> Result<(Client, i32), Error> {
    // No retries by the client: we decide how to handle errors.
    let once = BackoffConfig { deadline: Some(Duration::ZERO), ..BackoffConfig::default() };
    let builder = ClientBuilder::new(config.brokers.clone())
        .client_id("guardengine")
        .max_message_size(MAX_RESPONSE_BYTES)
        .backoff_config(once);
    let builder = match &config.login {
        Some(login) => builder.sasl_config(sasl(login)),
        None => builder,
    };
    let builder = if config.tls {
        builder.tls_config(Arc::new(tls::config(config.ca_file.clone()).await?))
    } else {
        builder
    };
    let cluster = answered(&config.topic, builder.build()).await?;
    let partitions = match (partitions(&cluster, &config.topic).await, config.create_topic) {
        (Err(Error::NoTopic(_)), Some(new)) => create(&cluster, &config.topic, new).await?,
        (known, _) => known?,
    };
    Ok((cluster, partitions))
}

fn sasl(login: &Login) -> SaslConfig {
    let credentials = Credentials::new(login.username.clone(), login.password.expose().to_owned());
    match login.mechanism {
        Mechanism::Plain => SaslConfig::Plain(credentials),
        Mechanism::ScramSha256 => SaslConfig::ScramSha256(credentials),
        Mechanism::ScramSha512 => SaslConfig::ScramSha512(credentials),
    }
}

/// Returns the current number of partitions. Lists all topics: asking for one by name might create it.
pub async fn partitions(cluster: &Client, topic: &str) -> Result<i32, Error> {
    let topics = answered(topic, cluster.list_topics()).await?;
    match topics.iter().find(|one| one.name == topic) {
        Some(found) if !found.partitions.is_empty() => Ok(found.partitions.len() as i32),
        Some(_) => Err(Error::NoLeader("the topic has no partition yet".to_owned())),
        None => Err(Error::NoTopic(topic.to_owned())),
    }
}

/// Creates the topic and waits until it is visible.
async fn create(cluster: &Client, topic: &str, new: NewTopic) -> Result<i32, Error> {
    // -1 stands for the cluster's default, since Kafka 2.4 (KIP-464).
    let (count, copies) = (new.partitions.unwrap_or(-1), new.replication.unwrap_or(-1));
    let create = async {
        match cluster.controller_client()?.create_topic(topic, count, copies, CREATE_TIMEOUT_MS).await {
            // Another replica created it first.
            Err(ClientError::ServerError { protocol_error: ProtocolError::TopicAlreadyExists, .. }) => Ok(()),
            result => result,
        }
    };
    answered(topic, create).await?;
    tracing::info!(topic, "created the topic");
    for _ in 1..MAX_LOOKUPS {
        if let Ok(partitions) = partitions(cluster, topic).await {
            return Ok(partitions);
        }
        sleep(LOOKUP_DELAY).await;
    }
    partitions(cluster, topic).await
}
