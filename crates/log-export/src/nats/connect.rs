//! Connection to NATS: servers, credentials, and the stream.

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
    error::Error,
    settings::{Nats, SignIn},
};

/// Longest time to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest wait for a response from JetStream.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);
/// Interval of pings. A dead connection is noticed after three of them.
const PING_INTERVAL: Duration = Duration::from_secs(5);

/// Connects and returns the client, its JetStream context and the stream, which accepts our subjects.
pub async fn connect(config: &Nats) -> Result<(Client, Context, Config), Error> {
    let options = options(config).await?;
    let client = options.connect(config.servers.clone()).await.map_err(|error| match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            Error::SignIn(error.to_string())
        }
        _ => Error::Unreachable(error.to_string()),
    })?;
    let context = ContextBuilder::new().timeout(RESPONSE_TIMEOUT).build(client.clone());
    let stream = stream(&context, config).await?;
    if !stream.subjects.iter().any(|pattern| config.subject.is_within(pattern)) {
        return Err(Error::Subject { stream: config.stream.clone(), subject: config.subject.of_all() });
    }
    Ok((client, context, stream))
}

/// A lost connection is retried once per server. After that the state of pending messages is unknown, and the
/// [exporter](crate::exporter) starts again.
async fn options(config: &Nats) -> Result<ConnectOptions, Error> {
    let options = ConnectOptions::new()
        .name("guardengine")
        .connection_timeout(CONNECT_TIMEOUT)
        .request_timeout(Some(RESPONSE_TIMEOUT))
        .ping_interval(PING_INTERVAL)
        .max_reconnects(config.servers.len());
    let options = match &config.ca_file {
        Some(file) => options.add_root_certificates(file.clone()),
        None => options,
    };
    Ok(match &config.sign_in {
        SignIn::Open => options,
        SignIn::Password(name, password) => {
            options.user_and_password(name.clone(), password.expose().to_owned())
        }
        SignIn::Token(token) => options.token(token.expose().to_owned()),
        SignIn::File(file) => options
            .credentials_file(file)
            .await
            .map_err(|error| Error::SignIn(format!("log_export.nats.credentials_file: {error}")))?,
    })
}

/// Returns the stream, created if it is missing and the configuration says so.
async fn stream(context: &Context, config: &Nats) -> Result<Config, Error> {
    let error = match context.get_stream(&config.stream).await {
        Ok(stream) => return Ok(stream.cached_info().config.clone()),
        Err(error) => error,
    };
    match error.kind() {
        GetStreamErrorKind::JetStream(error) if error.error_code() != ErrorCode::STREAM_NOT_FOUND => {
            Err(refused(&error))
        }
        GetStreamErrorKind::JetStream(_) if config.create_stream => create(context, config).await,
        GetStreamErrorKind::JetStream(_) => Err(Error::NoStream(config.stream.clone())),
        _ => Err(Error::NoJetStream),
    }
}

async fn create(context: &Context, config: &Nats) -> Result<Config, Error> {
    let stream = Config {
        name: config.stream.clone(),
        subjects: vec![config.subject.of_all()],
        num_replicas: 1,
        ..Config::default()
    };
    let created = context.create_stream(stream).await.map_err(|error| match error.kind() {
        CreateStreamErrorKind::JetStream(error) => refused(&error),
        _ => Error::NoJetStream,
    })?;
    tracing::info!(stream = config.stream, "created the stream");
    Ok(created.cached_info().config.clone())
}

fn refused(error: &jetstream::Error) -> Error {
    let disabled = [ErrorCode::JETSTREAM_NOT_ENABLED, ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT];
    if disabled.contains(&error.error_code()) {
        Error::NoJetStream
    } else {
        Error::Refused(error.to_string())
    }
}
