//! What the client says of a request that failed, told apart by what is to be done.

use std::time::Duration;

use rskafka::{
    BackoffError,
    client::error::{Error, ProtocolError as Answer, RequestError},
};
use tokio::time::timeout;

use crate::log_export::fault::Fault;

/// For an answer of a broker, connections on the way to it included.
const ANSWER: Duration = Duration::from_secs(10);
/// Of several brokers that cannot be connected to only the text is told: of each that lets nobody in without the right name
/// and password, and of each that ends the connection.
const SIGN_IN: &str = "Sasl handshake failed";
const HUNG_UP: &str = "Connection is poisoned";

/// Why a request failed.
#[derive(Debug)]
pub enum Trouble {
    /// The topic takes fewer bytes at once.
    TooLarge,
    /// Another broker leads the partition by now, or none for a moment. Nothing was written.
    Moved(String),
    /// What goes by waiting, or by an operator.
    Fault(Fault),
}

impl From<Trouble> for Fault {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::TooLarge => Self::Refused("it is too large".to_owned()),
            Trouble::Moved(why) => Self::NoLeader(why),
            Trouble::Fault(fault) => fault,
        }
    }
}

/// An answer, for as long as one is waited for.
pub async fn answered<T>(topic: &str, answer: impl Future<Output = Result<T, Error>>) -> Result<T, Trouble> {
    match timeout(ANSWER, answer).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(of(topic, &error)),
        Err(_) => Err(Trouble::Fault(Fault::Unreachable(format!("no answer within {ANSWER:?}")))),
    }
}

/// What stands behind an error.
pub fn of(topic: &str, error: &Error) -> Trouble {
    let fault = match first(error) {
        Error::ServerError { protocol_error, .. } => return of_answer(topic, *protocol_error, error),
        other if other.to_string().contains(SIGN_IN) => Fault::SignIn(other.to_string()),
        Error::Request(RequestError::NoVersionMatch { api_key }) => {
            Fault::Refused(format!("the broker speaks no version of {api_key:?} that we do"))
        }
        other if other.to_string().contains(HUNG_UP) => Fault::Unreachable(format!(
            "a broker hangs up, as one does that asks for TLS or a sign-in: {other}"
        )),
        other => Fault::Unreachable(other.to_string()),
    };
    Trouble::Fault(fault)
}

/// The error that nothing was tried again after.
fn first(error: &Error) -> &Error {
    match error {
        Error::RetryFailed(BackoffError::DeadlineExceded { source, .. }) => {
            source.downcast_ref().unwrap_or(error)
        }
        _ => error,
    }
}

fn of_answer(topic: &str, answer: Answer, error: &Error) -> Trouble {
    let told = || first(error).to_string();
    Trouble::Fault(match answer {
        Answer::MessageTooLarge | Answer::RecordListTooLarge => return Trouble::TooLarge,
        Answer::NotLeaderOrFollower
        | Answer::LeaderNotAvailable
        | Answer::FencedLeaderEpoch
        | Answer::UnknownLeaderEpoch => {
            return Trouble::Moved(told());
        }
        Answer::UnknownTopicOrPartition => Fault::NoTopic(topic.to_owned()),
        Answer::TopicAuthorizationFailed | Answer::ClusterAuthorizationFailed => {
            Fault::Forbidden(topic.to_owned())
        }
        Answer::SaslAuthenticationFailed | Answer::IllegalSaslState | Answer::UnsupportedSaslMechanism => {
            Fault::SignIn(told())
        }
        // Written by the leader, and not by as many others as were to write it too.
        Answer::RequestTimedOut | Answer::NotEnoughReplicasAfterAppend => Fault::Unacknowledged,
        _ => Fault::Refused(told()),
    })
}

#[cfg(test)]
mod tests {
    use rskafka::client::error::RequestContext;

    use super::*;

    fn answered(protocol_error: Answer) -> Error {
        let request = RequestContext::Partition("logs".to_owned(), 3);
        let answer = Error::ServerError {
            protocol_error,
            error_message: None,
            request,
            response: None,
            is_virtual: false,
        };
        Error::RetryFailed(BackoffError::DeadlineExceded {
            deadline: Duration::ZERO,
            source: Box::new(answer),
        })
    }

    fn reason(answer: Answer) -> &'static str {
        Fault::from(of("logs", &answered(answer))).reason()
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
        assert!(matches!(large, Trouble::TooLarge), "{large:?}");
    }
}
