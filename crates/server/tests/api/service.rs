//! A service of its own for each test, in this process, on a free port, in a folder that goes away.

use std::{path::Path, time::Duration};

use guardengine::{
    app::App,
    config::{Layers, Settings, Source},
    service::Service,
};
use guardengine_egress::client;
use guardengine_store::Clock;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{sync::oneshot, task::JoinHandle};

pub const PASSWORD: &str = "Right-horse-9";

pub struct Running {
    pub clock: Clock,
    pub app: App,
    client: Client,
    base: String,
    /// Where it keeps everything; none of its own for a replica.
    folder: Option<TempDir>,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<()>,
}

/// An answer, as far as tests look at it.
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub body: Value,
}

impl Answer {
    pub fn text(&self, field: &str) -> String {
        self.body[field].as_str().unwrap_or_else(|| panic!("no text {field} in {}", self.body)).to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    #[track_caller]
    pub fn refuses(&self, status: u16, detail: &str) {
        assert_eq!((self.status, self.body.clone()), (status, json!({ "detail": detail })));
    }
}

pub async fn send(request: RequestBuilder) -> Answer {
    let response = request.send().await.expect("an answer");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let bytes = response.bytes().await.expect("a whole answer");
    Answer { status, headers, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) }
}

pub fn settings(folder: &Path, set: &[(&str, &str)]) -> Settings {
    let mut layers = Layers::defaults();
    let folder = folder.display().to_string();
    let workers = ("media.program", env!("CARGO_BIN_EXE_guardengine"));
    let own = [("listen", "127.0.0.1:0"), ("data_dir", &folder), ("admin.password", PASSWORD), workers];
    for (key, value) in own.iter().chain(set) {
        layers.set(key, (*value).to_owned(), Source::Flag("test".to_owned())).unwrap();
    }
    Settings::from_layers(&layers).unwrap()
}

impl Running {
    pub async fn start() -> Self {
        Self::with(&[]).await
    }

    pub async fn with(set: &[(&str, &str)]) -> Self {
        Self::open(tempfile::tempdir().unwrap(), Clock::manual(), set).await
    }

    async fn open(folder: TempDir, clock: Clock, set: &[(&str, &str)]) -> Self {
        let running = Self::on(folder.path(), clock, set).await;
        Self { folder: Some(folder), ..running }
    }

    /// Another service on the same data, with the same clock.
    pub async fn replica(&self) -> Self {
        Self::on(self.folder.as_ref().unwrap().path(), self.clock.clone(), &[]).await
    }

    #[expect(clippy::disallowed_methods, reason = "a test waits for its own task")]
    async fn on(folder: &Path, clock: Clock, set: &[(&str, &str)]) -> Self {
        let service = Service::open(settings(folder, set), clock.clone()).await.unwrap();
        let (base, app) = (format!("http://{}", service.address()), service.app().clone());
        let (stop, told) = oneshot::channel();
        let ended = tokio::spawn(async move { service.run(async { drop(told.await) }).await.unwrap() });
        Self { clock, app, client: client().build().unwrap(), base, folder: None, stop, ended }
    }

    /// Stops it cleanly and starts it again on the same data.
    pub async fn restarted(mut self) -> Self {
        let (folder, clock) = (self.folder.take().unwrap(), self.clock.clone());
        self.stopped().await;
        Self::open(folder, clock, &[]).await
    }

    async fn stopped(self) {
        let Self { app, client, stop, ended, .. } = self;
        drop((app, client));
        stop.send(()).unwrap();
        tokio::time::timeout(Duration::from_secs(20), ended).await.expect("it drains in time").unwrap();
    }

    /// What `guardengine admin` prints beside the running service; the reason where it fails.
    pub async fn admin(&self, arguments: &[&str]) -> Result<Value, String> {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_guardengine"));
        command.arg("admin").args(arguments).arg("--data-dir").arg(self.folder.as_ref().unwrap().path());
        let ran = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        let answer = if ran.status.success() { Ok(&ran.stdout) } else { Err(&ran.stderr) };
        let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).unwrap();
        answer.map(|printed| serde_json::from_str(&text(printed)).unwrap()).map_err(text)
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub fn post(&self, path: &str) -> RequestBuilder {
        self.request(Method::POST, path)
    }

    pub async fn get(&self, token: &str, path: &str) -> Answer {
        send(self.request(Method::GET, path).bearer_auth(token)).await
    }

    /// How often the caller's organisation was charged.
    pub async fn charges(&self, token: &str) -> usize {
        let credits = self.get(token, "/api/credits").await;
        let entries = credits.body["ledger"].as_array().unwrap().iter();
        entries.filter(|entry| entry["operation"] != "initial").count()
    }

    pub async fn post_json(&self, token: &str, path: &str, body: &Value) -> Answer {
        send(self.post(path).bearer_auth(token).json(body)).await
    }

    pub async fn put_json(&self, token: &str, path: &str, body: &Value) -> Answer {
        send(self.request(Method::PUT, path).bearer_auth(token).json(body)).await
    }

    pub async fn delete(&self, token: &str, path: &str) -> Answer {
        send(self.request(Method::DELETE, path).bearer_auth(token)).await
    }

    pub async fn sign_in(&self, username: &str, password: &str) -> Answer {
        send(self.post("/token").form(&[("username", username), ("password", password)])).await
    }

    /// The first owner's access token.
    pub async fn owner(&self) -> String {
        self.sign_in("admin", PASSWORD).await.text("access_token")
    }

    /// A member of the first organisation.
    pub async fn member(&self, username: &str, role: &str) -> String {
        let org = self.app.tenants.db.org_named("default").await.unwrap().unwrap().id;
        self.user(org, username, role).await;
        self.sign_in(username, PASSWORD).await.text("access_token")
    }

    /// A user of an organisation, with the usual password.
    pub async fn user(&self, org_id: uuid::Uuid, username: &str, role: &str) {
        let password_hash = &self.app.auth.passwords().hash(PASSWORD).await.unwrap();
        let new = guardengine_store::NewUser { username, password_hash, org_id, role };
        self.app.tenants.db.create_user(new, self.clock.now()).await.unwrap();
    }

    /// Another organisation and its owner's access token.
    pub async fn stranger(&self) -> String {
        let made = self.app.tenants.db.create_org("elsewhere", 10, self.clock.now()).await.unwrap();
        let guardengine_store::Created::Done(org) = made else { panic!("the name is free") };
        self.user(org.id, "stranger", "owner").await;
        self.sign_in("stranger", PASSWORD).await.text("access_token")
    }

    /// A policy of the caller's organisation.
    pub async fn policy(&self, token: &str, policy: &Value) -> String {
        self.post_json(token, "/api/policy/create", policy).await.text("policyId")
    }

    /// A policy and a project of the caller's organisation.
    pub async fn project(&self, token: &str, name: &str) -> String {
        let policy = self.policy(token, &json!({ "policyName": name })).await;
        let project = json!({ "projectName": name, "policyId": policy });
        self.post_json(token, "/api/project/create", &project).await.text("projectId")
    }
}
