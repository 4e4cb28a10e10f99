//! The service as its own process.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};

use guardengine_egress::client;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

pub const PASSWORD: &str = "Right-horse-9";

/// Returns a command of the binary on a data directory.
pub fn guardengine(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_guardengine"));
    command.args(arguments).env_clear().env("GUARDENGINE_DATA_DIR", folder);
    let settings = [
        ("LISTEN", "127.0.0.1:0"),
        ("ADMIN__PASSWORD", PASSWORD),
        ("LIMITS__ANALYZE", "off"),
        ("OUTGOING__ALLOW_PRIVATE", "true"),
    ];
    command.envs(settings.map(|(name, value)| (format!("GUARDENGINE_{name}"), value)));
    command
}

/// Runs a command. Returns its exit code, its JSON output, and its standard error.
pub fn run(folder: &Path, arguments: &[&str]) -> (i32, Value, String) {
    let Output { status, stdout, stderr } = guardengine(folder, arguments).output().unwrap();
    let printed = serde_json::from_slice(&stdout).unwrap_or(Value::Null);
    (status.code().unwrap(), printed, String::from_utf8(stderr).unwrap())
}

/// Behavior of the reader of a service's log.
#[derive(Clone, Copy)]
pub enum LogReader {
    /// Reads every line.
    Reads,
    /// Reads nothing, and keeps the pipe open.
    Stalls,
    /// Closes the pipe, for good.
    Leaves,
}

/// A running service, killed when it is dropped.
pub struct ServiceProcess {
    child: Child,
    reader: Arc<Mutex<LogReader>>,
    base: String,
    client: Client,
    token: String,
}

impl ServiceProcess {
    pub async fn start(folder: &Path) -> Self {
        Self::with(folder, &[]).await
    }

    /// Starts a service with these settings, named as in the environment.
    pub async fn with(folder: &Path, settings: &[(&str, &str)]) -> Self {
        let mut command = guardengine(folder, &["serve"]);
        command.envs(settings.iter().map(|(name, value)| (format!("GUARDENGINE_{name}"), value)));
        Self::of(command).await
    }

    /// Starts a service by a command that runs it.
    pub async fn of(mut command: Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let listens = lines.by_ref().map(Result::unwrap).find_map(|line| {
            let (_, address) = line.split_once("listening on ")?;
            Some(address.to_owned())
        });
        // Later lines must not fill the pipe.
        let reader = Arc::new(Mutex::new(LogReader::Reads));
        let state = Arc::clone(&reader);
        std::thread::spawn(move || {
            for _ in lines {
                while matches!(*state.lock().unwrap(), LogReader::Stalls) {
                    std::thread::sleep(Duration::from_millis(10));
                }
                if matches!(*state.lock().unwrap(), LogReader::Leaves) {
                    return;
                }
            }
        });
        let (base, client) = (listens.expect("it listens"), client().build().unwrap());
        let form = [("username", "admin"), ("password", PASSWORD)];
        let answer = client.post(format!("{base}/token")).form(&form).send().await.unwrap();
        let answer: Value = answer.json().await.unwrap();
        let token = answer["access_token"].as_str().unwrap().to_owned();
        Self { child, reader, base, client, token }
    }

    pub fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.client.post(format!("{}{path}", self.base)).bearer_auth(&self.token).json(body)
    }

    /// Creates a request without a credential.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    async fn status(request: RequestBuilder) -> u16 {
        request.send().await.unwrap().status().as_u16()
    }

    /// Sends a PUT request and returns the status.
    pub async fn put(&self, path: &str, body: &Value) -> u16 {
        Self::status(self.request(Method::PUT, path).bearer_auth(&self.token).json(body)).await
    }

    /// Sends a DELETE request and returns the status.
    pub async fn delete(&self, path: &str) -> u16 {
        Self::status(self.request(Method::DELETE, path).bearer_auth(&self.token)).await
    }

    /// Sends a GET request with `token`, or without a credential when it is null, and returns the status.
    pub async fn get_as(&self, token: &Value, path: &str) -> u16 {
        let request = self.request(Method::GET, path);
        Self::status(match token.as_str() {
            Some(token) => request.bearer_auth(token),
            None => request,
        })
        .await
    }

    /// Sends a POST request with `token` and returns the status.
    pub async fn post_as(&self, token: &Value, path: &str, body: &Value) -> u16 {
        Self::status(self.request(Method::POST, path).bearer_auth(token.as_str().unwrap()).json(body)).await
    }

    /// Signs in with the password of the tests and returns the tokens.
    pub async fn sign_in(&self, username: &str) -> Value {
        let form = [("username", username), ("password", PASSWORD)];
        self.request(Method::POST, "/token").form(&form).send().await.unwrap().json().await.unwrap()
    }

    /// Signs in and returns the status.
    pub async fn signs_in(&self, username: &str, password: &str) -> u16 {
        let form = [("username", username), ("password", password)];
        Self::status(self.request(Method::POST, "/token").form(&form)).await
    }

    /// Returns the metrics.
    pub async fn metrics(&self) -> String {
        self.request(Method::GET, "/metrics").send().await.unwrap().text().await.unwrap()
    }

    /// Sends a GET request and returns the body.
    pub async fn get(&self, path: &str) -> Value {
        let answer = self.client.get(format!("{}{path}", self.base)).bearer_auth(&self.token).send().await;
        answer.unwrap().json().await.unwrap()
    }

    /// Sends a POST request that must succeed, and returns the body.
    pub async fn answer(&self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        answer.json().await.unwrap()
    }

    /// Masks `value` with a token and returns the token.
    pub async fn token_for(&self, value: &str) -> String {
        let masked = self.answer("/v2/pii/mask", &json!({ "text": value, "strategy": "token" })).await;
        masked["masked_text"].as_str().unwrap().to_owned()
    }

    /// Restores a token. Returns it unchanged when it is unknown.
    pub async fn unmasked(&self, token: &str) -> String {
        let restored = self.answer("/v2/pii/unmask", &json!({ "text": token })).await;
        restored["text"].as_str().unwrap().to_owned()
    }

    /// Returns the address and port of the service.
    pub fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    /// Opens a stream of server-sent events.
    pub async fn open_stream(&self, path: &str) -> reqwest::Response {
        let stream = self.request(Method::GET, path).bearer_auth(&self.token).send().await.unwrap();
        assert_eq!(stream.status(), 200, "{path}");
        stream
    }

    /// Changes what the reader of the log does, from the next line on.
    pub fn log_reader(&self, state: LogReader) {
        *self.reader.lock().unwrap() = state;
    }

    /// Stops the process without ending it, or lets it go on.
    pub fn pause(&self, is_paused: bool) {
        self.signal(if is_paused { "-STOP" } else { "-CONT" });
    }

    /// Kills the process, as in a crash.
    pub fn kill(&self) {
        self.signal("-KILL");
    }

    /// Stops the process cleanly and returns its exit code.
    pub fn stop(mut self) -> Option<i32> {
        self.signal("-TERM");
        self.child.wait().unwrap().code()
    }

    fn signal(&self, signal: &str) {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
    }
}

impl Drop for ServiceProcess {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
