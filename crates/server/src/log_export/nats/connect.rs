//! The way to a stream: servers, sign-in, the stream itself.

use std::time::Duration;

use async_nats::{
    Client, ConnectErrorKind, ConnectOptions,
    jetstream::{
        self, Context, ErrorCode,
        context::{ContextBuilder, CreateStreamErrorKind, GetStreamErrorKind},
        stream::Config,
    },
};

use crate::{
    config::{Nats, SignIn},
    log_export::error::Error,
};

/// For a connection to be made.
const CONNECT: Duration = Duration::from_secs(5);
/// For an answer of JetStream.
const ANSWER: Duration = Duration::from_secs(10);
/// A server that is gone without a word is noticed after three of them.
const PING: Duration = Duration::from_secs(5);

/// A connection, JetStream over it, and the stream as it is, which takes our subjects.
pub async fn connect(wanted: &Nats) -> Result<(Client, Context, Config), Error> {
    let options = options(wanted).await?;
    let client = options.connect(wanted.servers.clone()).await.map_err(|fault| match fault.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            Error::SignIn(fault.to_string())
        }
        _ => Error::Unreachable(fault.to_string()),
    })?;
    let context = ContextBuilder::new().timeout(ANSWER).build(client.clone());
    let stream = stream(&context, wanted).await?;
    if !stream.subjects.iter().any(|pattern| wanted.subject.is_within(pattern)) {
        return Err(Error::Subject { stream: wanted.stream.clone(), subject: wanted.subject.of_all() });
    }
    Ok((client, context, stream))
}

/// A connection that was lost is tried once at each server: what was under way on it is not known any more, and the
/// [worker](crate::log_export::worker) begins again.
async fn options(wanted: &Nats) -> Result<ConnectOptions, Error> {
    let options = ConnectOptions::new()
        .name("guardengine")
        .connection_timeout(CONNECT)
        .request_timeout(Some(ANSWER))
        .ping_interval(PING)
        .max_reconnects(wanted.servers.len());
    let options = match &wanted.ca_file {
        Some(file) => options.add_root_certificates(file.clone()),
        None => options,
    };
    Ok(match &wanted.sign_in {
        SignIn::Open => options,
        SignIn::Password(name, password) => {
            options.user_and_password(name.clone(), password.expose().to_owned())
        }
        SignIn::Token(token) => options.token(token.expose().to_owned()),
        SignIn::File(file) => options
            .credentials_file(file)
            .await
            .map_err(|fault| Error::SignIn(format!("log_export.nats.credentials_file: {fault}")))?,
    })
}

/// The stream as it is, made where that is wanted.
async fn stream(context: &Context, wanted: &Nats) -> Result<Config, Error> {
    let fault = match context.get_stream(&wanted.stream).await {
        Ok(stream) => return Ok(stream.cached_info().config.clone()),
        Err(fault) => fault,
    };
    match fault.kind() {
        GetStreamErrorKind::JetStream(error) if error.error_code() != ErrorCode::STREAM_NOT_FOUND => {
            Err(refused(&error))
        }
        GetStreamErrorKind::JetStream(_) if wanted.create_stream => created(context, wanted).await,
        GetStreamErrorKind::JetStream(_) => Err(Error::NoStream(wanted.stream.clone())),
        _ => Err(Error::NoJetStream),
    }
}

async fn created(context: &Context, wanted: &Nats) -> Result<Config, Error> {
    let config = Config {
        name: wanted.stream.clone(),
        subjects: vec![wanted.subject.of_all()],
        num_replicas: 1,
        ..Config::default()
    };
    let made = context.create_stream(config).await.map_err(|fault| match fault.kind() {
        CreateStreamErrorKind::JetStream(error) => refused(&error),
        _ => Error::NoJetStream,
    })?;
    tracing::info!(stream = wanted.stream, "the stream is made");
    Ok(made.cached_info().config.clone())
}

fn refused(error: &jetstream::Error) -> Error {
    let is_off = [ErrorCode::JETSTREAM_NOT_ENABLED, ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT];
    if is_off.contains(&error.error_code()) { Error::NoJetStream } else { Error::Refused(error.to_string()) }
}
