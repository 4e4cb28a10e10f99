//! What the client says of a request that failed, told apart by what is to be done.

use std::time::Duration;

use rskafka::{
    BackoffError,
    client::error::{Error as ClientError, ProtocolError as Answer, RequestError},
};
use tokio::time::timeout;

use crate::log_export::error::Error;

/// For an answer of a broker, connections on the way to it included.
const ANSWER: Duration = Duration::from_secs(10);
/// Of several brokers that cannot be connected to only the text is told: of each that lets nobody in without the right name
/// and password, and of each that ends the connection.
const SIGN_IN: &str = "Sasl handshake failed";
const HUNG_UP: &str = "Connection is poisoned";

/// Why a request failed.
#[derive(Debug)]
pub enum KafkaError {
    /// The topic takes fewer bytes at once.
    TooLarge,
    /// Another broker leads the partition by now, or none for a moment. Nothing was written.
    Moved(String),
    /// What goes by waiting, or by an operator.
    Error(Error),
}

impl From<KafkaError> for Error {
    fn from(trouble: KafkaError) -> Self {
        match trouble {
            KafkaError::TooLarge => Self::Refused("it is too large".to_owned()),
            KafkaError::Moved(why) => Self::NoLeader(why),
            KafkaError::Error(fault) => fault,
        }
    }
}

/// An answer, for as long as one is waited for.
pub async fn answered<T>(
    topic: &str,
    answer: impl Future<Output = Result<T, ClientError>>,
) -> Result<T, KafkaError> {
    match timeout(ANSWER, answer).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(of(topic, &error)),
        Err(_) => Err(KafkaError::Error(Error::Unreachable(format!("no answer within {ANSWER:?}")))),
    }
}

/// What stands behind an error.
pub fn of(topic: &str, error: &ClientError) -> KafkaError {
    let fault = match first(error) {
        ClientError::ServerError { protocol_error, .. } => return of_answer(topic, *protocol_error, error),
        other if other.to_string().contains(SIGN_IN) => Error::SignIn(other.to_string()),
        ClientError::Request(RequestError::NoVersionMatch { api_key }) => {
            Error::Refused(format!("the broker speaks no version of {api_key:?} that we do"))
        }
        other if other.to_string().contains(HUNG_UP) => Error::Unreachable(format!(
            "a broker hangs up, as one does that asks for TLS or a sign-in: {other}"
        )),
        other => Error::Unreachable(other.to_string()),
    };
    KafkaError::Error(fault)
}

/// The error that nothing was tried again after.
fn first(error: &ClientError) -> &ClientError {
    match error {
        ClientError::RetryFailed(BackoffError::DeadlineExceded { source, .. }) => {
            source.downcast_ref().unwrap_or(error)
        }
        _ => error,
    }
}

fn of_answer(topic: &str, answer: Answer, error: &ClientError) -> KafkaError {
    let told = || first(error).to_string();
    KafkaError::Error(match answer {
        Answer::MessageTooLarge | Answer::RecordListTooLarge => return KafkaError::TooLarge,
        Answer::NotLeaderOrFollower
        | Answer::LeaderNotAvailable
        | Answer::FencedLeaderEpoch
        | Answer::UnknownLeaderEpoch => {
            return KafkaError::Moved(told());
        }
        Answer::UnknownTopicOrPartition => Error::NoTopic(topic.to_owned()),
        Answer::TopicAuthorizationFailed | Answer::ClusterAuthorizationFailed => {
            Error::Forbidden(topic.to_owned())
        }
        Answer::SaslAuthenticationFailed | Answer::IllegalSaslState | Answer::UnsupportedSaslMechanism => {
            Error::SignIn(told())
        }
        // Written by the leader, and not by as many others as were to write it too.
        Answer::RequestTimedOut | Answer::NotEnoughReplicasAfterAppend => Error::Unacknowledged,
        _ => Error::Refused(told()),
    })
}

#[cfg(test)]
mod tests {
    use rskafka::client::error::RequestContext;

    use super::*;

    fn answered(protocol_error: Answer) -> ClientError {
        let request = RequestContext::Partition("logs".to_owned(), 3);
        let answer = ClientError::ServerError {
            protocol_error,
            error_message: None,
            request,
            response: None,
            is_virtual: false,
        };
        ClientError::RetryFailed(BackoffError::DeadlineExceded {
            deadline: Duration::ZERO,
            source: Box::new(answer),
        })
    }

    fn reason(answer: Answer) -> &'static str {
        Error::from(of("logs", &answered(answer))).reason()
    }

    #[test]
    fn what_a_broker_answers_is_told_apart() {
        for (answer, told) in [
            (Answer::UnknownTopicOrPartition, "no_topic"),
            (Answer::TopicAuthorizationFailed, "forbidden"),
            (Answer::NotLeaderOrFollower, "no_leader"),
            (Answer::SaslAuthenticationFailed, "sign_in"),
            (Answer::RequestTimedOut, "unacknowledged"),
            (Answer::NotEnoughReplicas, "refused"),
        ] {
            assert_eq!(reason(answer), told);
        }
        let large = of("logs", &answered(Answer::MessageTooLarge));
        assert!(matches!(large, KafkaError::TooLarge), "{large:?}");
    }
}
