//! Export of log entries to a JetStream stream.
//!
//! The messages of a batch are sent without waiting for each other. Each except the first names the message that must
//! precede it in the stream. If one is lost, JetStream refuses all later ones, so the order is preserved.

mod connect;
mod subject;

use std::error::Error as _;

use async_nats::{
    Client,
    connection::State,
    jetstream::{
        self, Context, ErrorCode,
        context::{PublishAckFuture, PublishError, PublishErrorKind},
        message::PublishMessage,
    },
};
use uuid::Uuid;

pub use self::subject::Subject;
use super::{
    error::Error,
    message::{Message, SEQUENCE, TEXT_LEFT_OUT},
    published::Published,
    status::Outcome,
};
use crate::settings;

/// Upper bound for the bytes of headers and subject.
const MAX_OVERHEAD: usize = 1024;

/// Connection to a JetStream stream.
pub struct Nats {
    client: Client,
    context: Context,
    stream: String,
    subject: Subject,
    /// Largest message in bytes.
    max_bytes: usize,
}

impl Nats {
    /// Connects, and checks or creates the stream.
    pub async fn connect(config: &settings::Nats) -> Result<Self, Error> {
        let (client, context, stream) = connect::connect(config).await?;
        let limit = usize::try_from(stream.max_message_size).ok().filter(|limit| *limit > 0);
        let max_bytes = client.max_payload().min(limit.unwrap_or(usize::MAX));
        Ok(Self { client, context, stream: stream.name, subject: config.subject.clone(), max_bytes })
    }

    /// Checks the connection.
    pub fn is_ready(&self) -> Result<(), Error> {
        let is_up = self.client.connection_state() == State::Connected;
        if is_up { Ok(()) } else { Err(Error::Unreachable("the connection was lost".to_owned())) }
    }

    /// Publishes log entries of an organization and waits for the acknowledgements.
    pub async fn publish(&self, org: Uuid, messages: Vec<Message>) -> Published {
        let mut published = Published::default();
        let mut sent = Vec::new();
        for one in self.send(org, messages).await {
            match one {
                Ok(one) => sent.push(one),
                Err(error) => published.error = Some(error),
            }
        }
        for (outcome, acknowledgement) in sent {
            match acknowledged(outcome, acknowledgement).await {
                Ok(outcome) => published.outcomes.push(outcome),
                Err(error) => {
                    // Later messages fail because of this one.
                    published.error = self.convert_error(&error);
                    return published;
                }
            }
        }
        published
    }

    /// Sends messages until one cannot be sent.
    async fn send(
        &self,
        org: Uuid,
        messages: Vec<Message>,
    ) -> Vec<Result<(Outcome, Option<PublishAckFuture>), Error>> {
        let subject = self.subject.of(org);
        let mut previous: Option<String> = None;
        let mut sent = Vec::with_capacity(messages.len());
        for mut message in messages {
            if !self.fits(&message)
                && let Err(error) = message.leave_text_out()
            {
                sent.push(Err(error.into()));
                break;
            }
            if !self.fits(&message) {
                sent.push(Ok((Outcome::TooLarge, None)));
                continue;
            }
            let outcome = message.outcome();
            let id = message.id.clone();
            let publish = to_publish(message).expected_stream(&self.stream);
            let publish = match &previous {
                Some(previous) => publish.expected_last_message_id(previous),
                None => publish,
            };
            previous = Some(id);
            match self.context.send_publish(subject.clone(), publish).await {
                Ok(acknowledgement) => sent.push(Ok((outcome, Some(acknowledgement)))),
                Err(error) => {
                    sent.extend(self.convert_error(&error).map(Err));
                    break;
                }
            }
        }
        sent
    }

    const fn fits(&self, message: &Message) -> bool {
        message.body.len() + MAX_OVERHEAD <= self.max_bytes
    }

    fn convert_error(&self, error: &PublishError) -> Option<Error> {
        match error.kind() {
            PublishErrorKind::WrongLastMessageId => None,
            PublishErrorKind::TimedOut => Some(Error::Unacknowledged),
            PublishErrorKind::MaxPayloadExceeded => Some(Error::Refused(error.to_string())),
            PublishErrorKind::BrokenPipe => Some(Error::Unreachable("the connection was lost".to_owned())),
            // No responder for the subject: the cluster elects a leader, or the stream was deleted or changed. The next
            // connection shows which.
            PublishErrorKind::StreamNotFound => {
                Some(Error::Unreachable("the stream does not respond".to_owned()))
            }
            _ => match error.source().and_then(|source| source.downcast_ref::<jetstream::Error>()) {
                Some(error) if error.error_code() == ErrorCode::STREAM_NOT_MATCH => {
                    Some(Error::Subject { stream: self.stream.clone(), subject: self.subject.of_all() })
                }
                Some(error) => Some(Error::Refused(error.to_string())),
                None => Some(Error::Unreachable(error.to_string())),
            },
        }
    }
}

/// Builds the message of a log entry. JetStream uses its id to drop duplicates.
fn to_publish(message: Message) -> PublishMessage {
    let publish = PublishMessage::build().message_id(&message.id).header(SEQUENCE, message.sequence);
    let publish = match message.left_out {
        Some(length) => publish.header(TEXT_LEFT_OUT, length.to_string()),
        None => publish,
    };
    publish.payload(message.body.into())
}

async fn acknowledged(
    outcome: Outcome,
    acknowledgement: Option<PublishAckFuture>,
) -> Result<Outcome, PublishError> {
    let Some(acknowledgement) = acknowledgement else { return Ok(outcome) };
    let acknowledgement = acknowledgement.await?;
    Ok(if acknowledgement.duplicate { Outcome::Repeated } else { outcome })
}
