//! The way to a topic: brokers, sign-in, the topic itself.

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
    config::{Kafka, Login, Mechanism, NewTopic},
    log_export::error::Error,
};

/// Bytes of a broker's answer; the largest tells every topic of the cluster.
const LARGEST_ANSWER: usize = 64 << 20;
/// What a controller may take to make a topic, in milliseconds.
const MAKING: i32 = 5000;
/// How often, and how long apart, a topic that was made just now is looked for.
const LOOKS: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(300);

/// A cluster, and how many partitions the topic has.
pub async fn connect(wanted: &Kafka) -> Result<(Client, i32), Error> {
    // A request is sent once: what is to be done about an error is decided here.
    let once = BackoffConfig { deadline: Some(Duration::ZERO), ..BackoffConfig::default() };
    let builder = ClientBuilder::new(wanted.brokers.clone())
        .client_id("guardengine")
        .max_message_size(LARGEST_ANSWER)
        .backoff_config(once);
    let builder = match &wanted.login {
        Some(login) => builder.sasl_config(sasl(login)),
        None => builder,
    };
    let builder = if wanted.tls {
        builder.tls_config(Arc::new(tls::config(wanted.ca_file.clone()).await?))
    } else {
        builder
    };
    let cluster = answered(&wanted.topic, builder.build()).await?;
    let partitions = match (partitions(&cluster, &wanted.topic).await, wanted.create_topic) {
        (Err(Error::NoTopic(_)), Some(new)) => made(&cluster, &wanted.topic, new).await?,
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

/// How many partitions the topic has now. Every topic is asked for: a cluster makes what it is asked for by name.
pub async fn partitions(cluster: &Client, topic: &str) -> Result<i32, Error> {
    let topics = answered(topic, cluster.list_topics()).await?;
    match topics.iter().find(|one| one.name == topic) {
        Some(found) if !found.partitions.is_empty() => Ok(found.partitions.len() as i32),
        Some(_) => Err(Error::NoLeader("the topic has no partition yet".to_owned())),
        None => Err(Error::NoTopic(topic.to_owned())),
    }
}

/// Makes the topic, and waits until it is there.
async fn made(cluster: &Client, topic: &str, new: NewTopic) -> Result<i32, Error> {
    // -1 stands for the cluster's default, since Kafka 2.4 (KIP-464).
    let (count, copies) = (new.partitions.unwrap_or(-1), new.replication.unwrap_or(-1));
    let making = async {
        match cluster.controller_client()?.create_topic(topic, count, copies, MAKING).await {
            // Another replica was first.
            Err(ClientError::ServerError { protocol_error: ProtocolError::TopicAlreadyExists, .. }) => Ok(()),
            made => made,
        }
    };
    answered(topic, making).await?;
    tracing::info!(topic, "the topic is made");
    for _ in 1..LOOKS {
        if let Ok(partitions) = partitions(cluster, topic).await {
            return Ok(partitions);
        }
        sleep(BETWEEN).await;
    }
    partitions(cluster, topic).await
}
