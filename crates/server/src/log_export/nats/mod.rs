//! Rows published to a JetStream stream.
//!
//! Rows of a page are on their way together. Each names the message that must stand right before it in the stream, but for
//! the first: where one is lost, none behind it is kept, and the order stays whole.

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
    sink::Published,
    status::Outcome,
};
use crate::config;

/// More than headers and subject take.
const ENVELOPE: usize = 1024;

/// JetStream, with a stream that takes our rows.
pub struct Nats {
    client: Client,
    context: Context,
    stream: String,
    subject: Subject,
    /// Bytes of the largest message.
    largest: usize,
}

impl Nats {
    /// Connects and makes sure of the stream.
    pub async fn connect(wanted: &config::Nats) -> Result<Self, Error> {
        let (client, context, stream) = connect::connect(wanted).await?;
        let limit = usize::try_from(stream.max_message_size).ok().filter(|limit| *limit > 0);
        let largest = client.max_payload().min(limit.unwrap_or(usize::MAX));
        Ok(Self { client, context, stream: stream.name, subject: wanted.subject.clone(), largest })
    }

    /// Whether the connection stands.
    pub fn is_ready(&self) -> Result<(), Error> {
        let is_up = self.client.connection_state() == State::Connected;
        if is_up { Ok(()) } else { Err(Error::Unreachable("the connection broke".to_owned())) }
    }

    /// Publishes an organisation's rows, and waits until JetStream has them.
    pub async fn publish(&self, org: Uuid, messages: Vec<Message>) -> Published {
        let mut published = Published::default();
        let mut sent = Vec::new();
        for one in self.send(org, messages).await {
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
        messages: Vec<Message>,
    ) -> Vec<Result<(Outcome, Option<PublishAckFuture>), Error>> {
        let subject = self.subject.of(org);
        let mut before: Option<String> = None;
        let mut sent = Vec::with_capacity(messages.len());
        for mut message in messages {
            if !self.fits(&message)
                && let Err(fault) = message.leave_text_out()
            {
                sent.push(Err(fault.into()));
                break;
            }
            if !self.fits(&message) {
                sent.push(Ok((Outcome::TooLarge, None)));
                continue;
            }
            let outcome = message.outcome();
            let id = message.id.clone();
            let publish = publishable(message).expected_stream(&self.stream);
            let publish = match &before {
                Some(before) => publish.expected_last_message_id(before),
                None => publish,
            };
            before = Some(id);
            match self.context.send_publish(subject.clone(), publish).await {
                Ok(acknowledgement) => sent.push(Ok((outcome, Some(acknowledgement)))),
                Err(fault) => {
                    sent.extend(self.told(&fault).map(Err));
                    break;
                }
            }
        }
        sent
    }

    const fn fits(&self, message: &Message) -> bool {
        message.body.len() + ENVELOPE <= self.largest
    }

    fn told(&self, fault: &PublishError) -> Option<Error> {
        match fault.kind() {
            PublishErrorKind::WrongLastMessageId => None,
            PublishErrorKind::TimedOut => Some(Error::Unacknowledged),
            PublishErrorKind::MaxPayloadExceeded => Some(Error::Refused(fault.to_string())),
            PublishErrorKind::BrokenPipe => Some(Error::Unreachable("the connection broke".to_owned())),
            // Nobody answers for the subject: a cluster elects who leads the stream, or it is gone or takes others by now,
            // which the next connection tells.
            PublishErrorKind::StreamNotFound => {
                Some(Error::Unreachable("nobody takes rows of the stream now".to_owned()))
            }
            _ => match fault.source().and_then(|source| source.downcast_ref::<jetstream::Error>()) {
                Some(error) if error.error_code() == ErrorCode::STREAM_NOT_MATCH => {
                    Some(Error::Subject { stream: self.stream.clone(), subject: self.subject.of_all() })
                }
                Some(error) => Some(Error::Refused(error.to_string())),
                None => Some(Error::Unreachable(fault.to_string())),
            },
        }
    }
}

/// A row under its id, which JetStream knows it by.
fn publishable(message: Message) -> PublishMessage {
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
