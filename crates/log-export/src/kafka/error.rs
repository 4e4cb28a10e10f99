//! Classifies errors of the Kafka client by how to handle them.

use std::time::Duration;

use rskafka::{
    BackoffError,
    client::error::{Error as ClientError, ProtocolError as Code, RequestError},
};
use tokio::time::timeout;

use crate::error::Error;

/// Longest wait for a response from a broker, including connecting.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);
/// If no broker can be reached, the client returns only a text. These parts of it show refused credentials and a closed
/// connection.
const SIGN_IN: &str = "Sasl handshake failed";
const HUNG_UP: &str = "Connection is poisoned";

/// Error of a Kafka request.
#[derive(Debug)]
pub enum KafkaError {
    /// The record batch is too large for the topic.
    TooLarge,
    /// The partition moved to another leader, or has none at the moment. Nothing was written.
    Moved(String),
    /// Any other error: it passes with time, or an operator must act.
    Error(Error),
}

impl From<KafkaError> for Error {
    fn from(error: KafkaError) -> Self {
        match error {
            KafkaError::TooLarge => Self::Refused("the message is too large".to_owned()),
            KafkaError::Moved(why) => Self::NoLeader(why),
            KafkaError::Error(error) => error,
        }
    }
}

/// Waits for a response, with a timeout.
pub async fn answered<T>(
    topic: &str,
    response: impl Future<Output = Result<T, ClientError>>,
) -> Result<T, KafkaError> {
    match timeout(RESPONSE_TIMEOUT, response).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(error)) => Err(of(topic, &error)),
        Err(_) => {
            Err(KafkaError::Error(Error::Unreachable(format!("no response within {RESPONSE_TIMEOUT:?}"))))
        }
    }
}

/// Classifies an error of the client.
pub fn of(topic: &str, error: &ClientError) -> KafkaError {
    let error = match cause(error) {
        ClientError::ServerError { protocol_error, .. } => return of_code(topic, *protocol_error, error),
        other if other.to_string().contains(SIGN_IN) => Error::SignIn(other.to_string()),
        ClientError::Request(RequestError::NoVersionMatch { api_key }) => {
            Error::Refused(format!("the broker supports no version of {api_key:?} that we support"))
        }
        other if other.to_string().contains(HUNG_UP) => Error::Unreachable(format!(
            "a broker closed the connection; it may require TLS or authentication: {other}"
        )),
        other => Error::Unreachable(other.to_string()),
    };
    KafkaError::Error(error)
}

/// Returns the error that the client's retry wraps.
fn cause(error: &ClientError) -> &ClientError {
    match error {
        ClientError::RetryFailed(BackoffError::DeadlineExceded { source, .. }) => {
            source.downcast_ref().unwrap_or(error)
        }
        _ => error,
    }
}

fn of_code(topic: &str, code: Code, error: &ClientError) -> KafkaError {
    let text = || cause(error).to_string();
    KafkaError::Error(match code {
        Code::MessageTooLarge | Code::RecordListTooLarge => return KafkaError::TooLarge,
        Code::NotLeaderOrFollower
        | Code::LeaderNotAvailable
        | Code::FencedLeaderEpoch
        | Code::UnknownLeaderEpoch => {
            return KafkaError::Moved(text());
        }
        Code::UnknownTopicOrPartition => Error::NoTopic(topic.to_owned()),
        Code::TopicAuthorizationFailed | Code::ClusterAuthorizationFailed => {
            Error::Forbidden(topic.to_owned())
        }
        Code::SaslAuthenticationFailed | Code::IllegalSaslState | Code::UnsupportedSaslMechanism => {
            Error::SignIn(text())
        }
        // Written by the leader, but not by enough replicas.
        Code::RequestTimedOut | Code::NotEnoughReplicasAfterAppend => Error::Unacknowledged,
        _ => Error::Refused(text()),
    })
}

#[cfg(test)]
mod tests {
    use rskafka::client::error::RequestContext;

    use super::*;

    fn wrapped(protocol_error: Code) -> ClientError {
        let request = RequestContext::Partition("logs".to_owned(), 3);
        let response = ClientError::ServerError {
            protocol_error,
            error_message: None,
            request,
            response: None,
            is_virtual: false,
        };
        ClientError::RetryFailed(BackoffError::DeadlineExceded {
            deadline: Duration::ZERO,
            source: Box::new(response),
        })
    }

    fn reason(code: Code) -> &'static str {
        Error::from(of("logs", &wrapped(code))).reason()
    }

    #[test]
    fn classifies_response_codes() {
        for (code, expected) in [
            (Code::UnknownTopicOrPartition, "no_topic"),
            (Code::TopicAuthorizationFailed, "forbidden"),
            (Code::NotLeaderOrFollower, "no_leader"),
            (Code::SaslAuthenticationFailed, "sign_in"),
            (Code::RequestTimedOut, "unacknowledged"),
            (Code::NotEnoughReplicas, "refused"),
        ] {
            assert_eq!(reason(code), expected);
        }
        let large = of("logs", &wrapped(Code::MessageTooLarge));
        assert!(matches!(large, KafkaError::TooLarge), "{large:?}");
    }
}
