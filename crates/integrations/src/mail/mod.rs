//! E-mail through an organization's own SMTP server (RFC 5321).
//!
//! Each session resolves the host, checks its addresses against the network policy, and connects to a checked address.
//! Port 465 uses TLS from the start (RFC 8314), others STARTTLS (RFC 3207). Without encryption a session only continues
//! if the policy allows private networks and there is no password.

mod error;
mod stream;

use std::{fmt, net::SocketAddr, time::Duration};

use guardengine_egress::{NetworkPolicy, with_tls};
use lettre::{
    Message,
    message::{Mailbox, SinglePart},
    transport::smtp::{
        authentication::{Credentials, Mechanism},
        client::{AsyncSmtpConnection, AsyncTokioStream, TlsParameters},
        extension::ClientId,
    },
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::timeout,
};

pub use error::MailError;
use stream::BoundedStream;

use crate::{Integrations, connectors::OpenConnector};

/// Longest time for a session.
const DEADLINE: Duration = Duration::from_secs(20);
/// Bytes that a server may send in a session.
const MAX_REPLIES: usize = 256 << 10;
/// Port of TLS from the start.
const IMPLICIT_TLS: u16 = 465;
/// Characters of a subject.
const MAX_SUBJECT: usize = 200;

/// A message in plain text.
#[derive(Clone, Copy, Debug)]
pub struct Mail<'a> {
    /// Addresses of the recipients.
    pub to: &'a [String],
    /// Subject. Line breaks become spaces.
    pub subject: &'a str,
    /// Text, in UTF-8.
    pub text: &'a str,
}

/// Opens a session and ends it, without a message.
pub async fn check(integrations: &Integrations, connector: &OpenConnector) -> Result<(), MailError> {
    within_deadline(async {
        let mut session = connect(integrations.egress.network_policy(), connector).await?;
        let works = session.test_connected().await;
        session.abort().await;
        let failed = || MailError::Session("it does not answer NOOP".to_owned());
        if works { Ok(()) } else { Err(failed()) }
    })
    .await
}

/// Sends a message. Returns when the server has accepted it for all recipients.
pub async fn send(
    integrations: &Integrations,
    connector: &OpenConnector,
    mail: Mail<'_>,
) -> Result<(), MailError> {
    let message = message(connector.text("from"), mail)?;
    within_deadline(async {
        let mut session = connect(integrations.egress.network_policy(), connector).await?;
        let sent = session.send(message.envelope(), &message.formatted()).await;
        session.abort().await;
        Ok(sent.map(drop)?)
    })
    .await
}

async fn within_deadline(session: impl Future<Output = Result<(), MailError>>) -> Result<(), MailError> {
    timeout(DEADLINE, session).await.unwrap_or(Err(guardengine_egress::Error::TimedOut(DEADLINE).into()))
}

/// Checks whether an address can be sent to.
pub fn is_address(text: &str) -> bool {
    text.len() <= 254 && text.parse::<lettre::Address>().is_ok()
}

/// Composes a message. Its headers are encoded, so that no value can add one.
fn message(from: &str, mail: Mail<'_>) -> Result<Message, MailError> {
    let failed = |error: &dyn fmt::Display| MailError::Message(error.to_string());
    let mailbox = |address: &str| {
        let address = address.parse().map_err(|error| failed(&error))?;
        Ok::<_, MailError>(Mailbox::new(None, address))
    };
    let line = |c: char| if c.is_control() { ' ' } else { c };
    let subject: String = mail.subject.chars().take(MAX_SUBJECT).map(line).collect();
    let domain = from.rsplit_once('@').map_or("guardengine", |(_, domain)| domain);
    let id = format!("<{:032x}@{domain}>", rand::random::<u128>());
    let mut message = Message::builder().message_id(Some(id)).from(mailbox(from)?).subject(subject);
    for address in mail.to {
        message = message.to(mailbox(address)?);
    }
    message.singlepart(SinglePart::plain(mail.text.to_owned())).map_err(|error| failed(&error))
}

/// Connects, encrypts and signs in.
async fn connect(policy: NetworkPolicy, connector: &OpenConnector) -> Result<AsyncSmtpConnection, MailError> {
    let (host, password) = (connector.text("host"), connector.text("password"));
    let port = connector.text("port").parse().unwrap_or(587);
    let stream = policy.connect(host, port).await?;
    let peer = stream.peer_addr().map_err(|error| MailError::Session(error.to_string()))?;
    if port == IMPLICIT_TLS {
        let mut session = greet(with_tls(stream, host).await?, peer).await?;
        sign_in(&mut session, connector).await?;
        return Ok(session);
    }
    let mut session = greet(stream, peer).await?;
    if session.can_starttls() {
        session.starttls(TlsParameters::new_rustls(host.to_owned())?, &client()).await?;
    } else if policy == NetworkPolicy::Internet || !password.is_empty() {
        session.abort().await;
        return Err(MailError::NotEncrypted);
    }
    sign_in(&mut session, connector).await?;
    Ok(session)
}

async fn greet<S>(stream: S, peer: SocketAddr) -> Result<AsyncSmtpConnection, MailError>
where
    S: AsyncRead + AsyncWrite + Send + Sync + Unpin + fmt::Debug + 'static,
{
    let stream: Box<dyn AsyncTokioStream> = Box::new(BoundedStream::new(stream, peer, MAX_REPLIES));
    Ok(AsyncSmtpConnection::connect_with_transport(stream, &client()).await?)
}

async fn sign_in(session: &mut AsyncSmtpConnection, connector: &OpenConnector) -> Result<(), MailError> {
    let (username, password) = (connector.text("username"), connector.text("password"));
    if password.is_empty() {
        return Ok(());
    }
    let username = if username.is_empty() { connector.text("from") } else { username };
    let credentials = Credentials::new(username.to_owned(), password.to_owned());
    session.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).await?;
    Ok(())
}

/// The name in the greeting. Servers do not depend on it, and the name of the machine stays private.
fn client() -> ClientId {
    ClientId::Domain("guardengine".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn composed(subject: &str, to: &str) -> Result<String, String> {
        let (to, text) = ([to.to_owned()], "Grüße\r\n.\r\nDATA");
        let mail = Mail { to: &to, subject, text };
        let message = message("guard@example.com", mail).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(message.formatted()).unwrap())
    }

    #[test]
    fn no_value_adds_a_header() {
        let message = composed("A\r\nBcc: eve@example.com", "ann@example.com").unwrap();
        let head = message.split("\r\n\r\n").next().unwrap();
        assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
        assert!(head.contains("Subject: A  Bcc: eve@example.com"), "{head}");
        assert!(composed("A", "ann@example.com\r\nBcc: eve@example.com").is_err());
        assert!(composed("A", "ann@example.com>, <eve@example.com").is_err());
    }

    #[test]
    fn subjects_and_texts_are_encoded() {
        let message = composed("Überlauf", "ann@example.com").unwrap();
        assert!(message.is_ascii() && message.contains("Subject: =?utf-8?"), "{message}");
        assert!(message.contains("MIME-Version: 1.0") && message.contains("Message-ID: <"), "{message}");
    }
}
