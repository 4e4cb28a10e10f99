//! A NATS server with JetStream for one test.

use std::{
    env,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use async_nats::{
    Client, ConnectOptions,
    jetstream::{self, message::StreamMessage, stream::Config},
};
use futures::{StreamExt as _, stream};
use serde_json::Value;
use tempfile::TempDir;

use super::program;

/// A message of a stream.
pub struct Row {
    /// Body.
    pub body: Value,
    /// `Nats-Msg-Id`.
    pub id: String,
    /// Number of the entry.
    pub sequence: i64,
    /// Subject.
    pub subject: String,
    /// Length of the text that was left out, in bytes.
    pub left_out: Option<usize>,
}

impl From<StreamMessage> for Row {
    fn from(message: StreamMessage) -> Self {
        let header = |name: &str| message.headers.get(name).map(|value| value.as_str().to_owned());
        Self {
            id: header("Nats-Msg-Id").unwrap(),
            sequence: header("Guardengine-Sequence").unwrap().parse().unwrap(),
            left_out: header("Guardengine-Text-Left-Out").map(|bytes| bytes.parse().unwrap()),
            subject: message.subject.to_string(),
            body: serde_json::from_slice(&message.payload).unwrap(),
        }
    }
}

/// A server, killed when it is dropped.
pub struct Nats {
    server: Child,
    program: PathBuf,
    arguments: Vec<String>,
    port: u16,
    sign_in: Option<(String, String)>,
    /// Certificate, with TLS.
    certificate: Option<PathBuf>,
    folder: TempDir,
}

impl Nats {
    /// Starts a server. Without nats-server, prints a note and returns `None`.
    pub async fn start() -> Option<Self> {
        Self::with(&["-js"]).await
    }

    /// Starts a server with these arguments.
    pub async fn with(arguments: &[&str]) -> Option<Self> {
        let program = program(&["nats-server"])?;
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let arguments: Vec<String> = arguments.iter().map(|one| (*one).to_owned()).collect();
        let after = |name: &str| {
            let at = arguments.iter().position(|one| one == name);
            at.map(|at| arguments[at + 1].clone())
        };
        let (sign_in, certificate) =
            (after("--user").zip(after("--pass")), after("--tlscert").map(PathBuf::from));
        let server = served(&program, port, &folder, &arguments);
        let nats = Self { server, program, arguments, port, sign_in, certificate, folder };
        nats.answers().await;
        Some(nats)
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn kill(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }

    pub async fn start_again(&mut self) {
        self.server = served(&self.program, self.port, &self.folder, &self.arguments);
        self.answers().await;
    }

    pub async fn client(&self) -> Result<Client, async_nats::ConnectError> {
        let options = match self.sign_in.clone() {
            Some((name, password)) => ConnectOptions::with_user_and_password(name, password),
            None => ConnectOptions::new(),
        };
        let options = match self.certificate.clone() {
            Some(certificate) => options.add_root_certificates(certificate),
            None => options,
        };
        options.connect(self.url()).await
    }

    /// Creates a stream.
    pub async fn make(&self, config: Config) {
        jetstream::new(self.client().await.unwrap()).create_stream(config).await.unwrap();
    }

    /// Returns every message of a stream, in order. An unknown stream has none.
    pub async fn rows(&self, stream: &str) -> Vec<Row> {
        let context = jetstream::new(self.client().await.unwrap());
        let Ok(stream) = context.get_stream(stream).await else { return Vec::new() };
        let state = &stream.cached_info().state;
        let messages = stream::iter(state.first_sequence.max(1)..=state.last_sequence)
            .map(|number| stream.get_raw_message(number))
            .buffered(32);
        messages.map(|message| message.unwrap().into()).collect().await
    }

    /// Returns the number of messages of a stream.
    pub async fn count(&self, stream: &str) -> usize {
        let context = jetstream::new(self.client().await.unwrap());
        let stream = context.get_stream(stream).await;
        stream.map_or(0, |stream| stream.cached_info().state.messages as usize)
    }

    async fn answers(&self) {
        while self.client().await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

fn served(program: &PathBuf, port: u16, folder: &TempDir, arguments: &[String]) -> Child {
    let mut command = Command::new(program);
    command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder.path()).args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Creates a self-signed certificate for 127.0.0.1 and returns the paths of the certificate and its key. Without
/// openssl, prints a note and returns `None`.
pub fn certificate(folder: &Path) -> Option<[String; 2]> {
    let settings = folder.join("openssl.cnf");
    let lines = [
        "[req]",
        "distinguished_name = name",
        "x509_extensions = extensions",
        "prompt = no",
        "[name]",
        "CN = nats",
        "[extensions]",
        "subjectAltName = IP:127.0.0.1",
        "basicConstraints = critical, CA:FALSE",
    ];
    std::fs::write(&settings, lines.join("\n")).unwrap();
    let [certificate, key] =
        ["certificate.pem", "key.pem"].map(|name| folder.join(name).display().to_string());
    let kind =
        ["req", "-x509", "-nodes", "-days", "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
    let mut openssl = Command::new("openssl");
    openssl.args(kind).arg("-config").arg(&settings).args(["-out", &certificate, "-keyout", &key]);
    if openssl.stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return Some([certificate, key]);
    }
    assert!(env::var_os("GUARDENGINE_TEST_ALL").is_none(), "openssl cannot create a certificate");
    eprintln!("skipped: openssl makes no certificate (scripts/install-deps test installs it)");
    None
}
