//! Rows published to a stream.
//!
//! Rows of a page are on their way together. Each names the message that must stand right before it in the stream, but for
//! the first: where one is lost, none behind it is kept, and the order stays whole.

use std::error::Error as _;

use async_nats::{
    Client,
    connection::State,
    jetstream::{
        self, Context, ErrorCode,
        context::{PublishAckFuture, PublishError, PublishErrorKind},
    },
};
use guardengine_store::NumberedLog;
use uuid::Uuid;

use super::{Subject, connecting, fault::Fault, message::Message, standing::Outcome};
use crate::config::LogExport;

/// JetStream, with a stream that takes our rows.
pub struct Broker {
    client: Client,
    context: Context,
    stream: String,
    subject: Subject,
    /// Bytes of the largest message.
    largest: usize,
}

/// How far the rows of a page came.
#[derive(Debug, Default)]
pub struct Published {
    /// What became of each, in their order, until the first that JetStream does not have.
    pub outcomes: Vec<Outcome>,
    /// Why it went no further. `None` too where somebody else wrote to the stream in between: the rest is published again.
    pub fault: Option<Fault>,
}

impl Broker {
    /// Connects and makes sure of the stream.
    pub async fn connect(wanted: &LogExport) -> Result<Self, Fault> {
        let (client, context, stream) = connecting::connect(wanted).await?;
        let limit = usize::try_from(stream.max_message_size).ok().filter(|limit| *limit > 0);
        let largest = client.max_payload().min(limit.unwrap_or(usize::MAX));
        Ok(Self { client, context, stream: stream.name, subject: wanted.subject.clone(), largest })
    }

    /// Whether the connection stands.
    pub fn is_up(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Publishes an organisation's rows, and waits until JetStream has them.
    pub async fn publish(&self, org: Uuid, rows: Vec<NumberedLog>) -> Published {
        let mut published = Published::default();
        let mut sent = Vec::new();
        for one in self.send(org, rows).await {
            match one {
                Ok(one) => sent.push(one),
                Err(fault) => published.fault = Some(fault),
            }
        }
        for (outcome, acknowledgement) in sent {
            match acknowledged(outcome, acknowledgement).await {
                Ok(outcome) => published.outcomes.push(outcome),
                Err(fault) => {
                    // An earlier one says why those behind it are not there.
                    published.fault = self.told(&fault);
                    return published;
                }
            }
        }
        published
    }

    /// Sends rows until one cannot be sent.
    async fn send(
        &self,
        org: Uuid,
        rows: Vec<NumberedLog>,
    ) -> Vec<Result<(Outcome, Option<PublishAckFuture>), Fault>> {
        let subject = self.subject.of(org);
        let mut before: Option<String> = None;
        let mut sent = Vec::with_capacity(rows.len());
        for row in rows {
            let message = match Message::of(row, self.largest) {
                Ok(Some(message)) => message,
                Ok(None) => {
                    sent.push(Ok((Outcome::TooLarge, None)));
                    continue;
                }
                Err(fault) => {
                    sent.push(Err(Fault::Refused(fault.to_string())));
                    break;
                }
            };
            let publish = message.publish.expected_stream(&self.stream);
            let publish = match &before {
                Some(before) => publish.expected_last_message_id(before),
                None => publish,
            };
            before = Some(message.id);
            match self.context.send_publish(subject.clone(), publish).await {
                Ok(acknowledgement) => sent.push(Ok((message.outcome, Some(acknowledgement)))),
                Err(fault) => {
                    sent.extend(self.told(&fault).map(Err));
                    break;
                }
            }
        }
        sent
    }

    fn told(&self, fault: &PublishError) -> Option<Fault> {
        let other_subject = || Fault::Subject { stream: self.stream.clone(), subject: self.subject.of_all() };
        match fault.kind() {
            PublishErrorKind::WrongLastMessageId => None,
            PublishErrorKind::TimedOut => Some(Fault::Unacknowledged),
            PublishErrorKind::MaxPayloadExceeded => Some(Fault::Refused(fault.to_string())),
            PublishErrorKind::BrokenPipe => Some(Fault::Unreachable("the connection broke".to_owned())),
            PublishErrorKind::StreamNotFound => Some(other_subject()),
            _ => match fault.source().and_then(|source| source.downcast_ref::<jetstream::Error>()) {
                Some(error) if error.error_code() == ErrorCode::STREAM_NOT_MATCH => Some(other_subject()),
                Some(error) => Some(Fault::Refused(error.to_string())),
                None => Some(Fault::Unreachable(fault.to_string())),
            },
        }
    }
}

async fn acknowledged(
    outcome: Outcome,
    acknowledgement: Option<PublishAckFuture>,
) -> Result<Outcome, PublishError> {
    let Some(acknowledgement) = acknowledgement else { return Ok(outcome) };
    let acknowledgement = acknowledgement.await?;
    Ok(if acknowledgement.duplicate { Outcome::Repeated } else { outcome })
}
