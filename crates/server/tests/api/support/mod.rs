//! The service under test: in this process, on a free port, in a temporary folder.
//!
//! Tests reach internals of the server through this module only.

mod response;
pub mod streaming_model;
pub mod tickets;

use std::{path::Path, time::Duration};

use guardengine::{
    app::App,
    config::{Layers, Settings, Source},
    service::Service,
};
use guardengine_egress::client;
use guardengine_store::Clock;
use guardengine_store::{Actor, Created, Db, NewUser, Tx};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{sync::oneshot, task::JoinHandle};
use uuid::Uuid;

pub use guardengine::router::{openapi, surface_paths};
pub use guardengine_auth::permission::ALL as PERMISSIONS;

pub use self::response::{Response, send};

/// Password of every user of the tests.
pub const PASSWORD: &str = "Right-horse-9";

/// A running service with a clock that only the test moves.
pub struct TestService {
    pub clock: Clock,
    pub db: Db,
    app: App,
    client: Client,
    base: String,
    /// Data directory. A replica has none of its own.
    folder: Option<TempDir>,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<()>,
}

/// Returns the settings of a service in `folder`, with the keys of `set` changed.
pub fn settings(folder: &Path, set: &[(&str, &str)]) -> Settings {
    let mut layers = Layers::defaults();
    let folder = folder.display().to_string();
    let workers = ("media.program", env!("CARGO_BIN_EXE_guardengine"));
    // The models that scripts/test fetched, or none.
    let models = ("media.models", &*std::env::var("GUARDENGINE_TEST_MODELS").unwrap_or_default());
    let own =
        [("listen", "127.0.0.1:0"), ("data_dir", &folder), ("admin.password", PASSWORD), workers, models];
    for (key, value) in own.iter().chain(set) {
        layers.set(key, (*value).to_owned(), Source::Flag("test".to_owned())).unwrap();
    }
    Settings::from_layers(&layers).unwrap()
}

/// Returns the error of starting a service with these settings.
pub async fn start_error(set: &[(&str, &str)]) -> String {
    let data = tempfile::tempdir().unwrap();
    let error = Service::open(settings(data.path(), set), Clock::manual()).await.err();
    format!("{:#}", error.expect("it does not start"))
}

impl TestService {
    /// Starts a service with default settings.
    pub async fn start() -> Self {
        Self::with(&[]).await
    }

    /// Starts a service with these settings changed.
    pub async fn with(set: &[(&str, &str)]) -> Self {
        Self::open(tempfile::tempdir().unwrap(), Clock::manual(), set).await
    }

    /// Starts a service that may call servers of the test and has no limits for guard calls and the API.
    pub async fn with_fake_servers(set: &[(&str, &str)]) -> Self {
        let own = [("outgoing.allow_private", "true"), ("limits.analyze", "off"), ("limits.default", "off")];
        Self::with(&[&own, set].concat()).await
    }

    async fn open(folder: TempDir, clock: Clock, set: &[(&str, &str)]) -> Self {
        let service = Self::on(folder.path(), clock, set).await;
        Self { folder: Some(folder), ..service }
    }

    /// Starts another service on the same data, with the same clock.
    pub async fn replica(&self) -> Self {
        Self::on(self.folder.as_ref().unwrap().path(), self.clock.clone(), &[]).await
    }

    #[expect(clippy::disallowed_methods, reason = "a test waits for its own task")]
    async fn on(folder: &Path, clock: Clock, set: &[(&str, &str)]) -> Self {
        let service = Service::open(settings(folder, set), clock.clone()).await.unwrap();
        let (base, app) = (format!("http://{}", service.address()), service.app().clone());
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(async move { service.run(async { drop(stopped.await) }).await.unwrap() });
        let (db, client) = (app.tenants.db.clone(), client().build().unwrap());
        Self { clock, db, app, client, base, folder: None, stop, ended }
    }

    /// Makes one change in the store, recorded as an operator's.
    pub async fn change<T>(&self, change: impl AsyncFnOnce(&mut Tx) -> guardengine_store::Result<T>) -> T {
        let mut tx = self.db.audited(self.clock.now()).await.unwrap();
        let outcome = change(&mut tx).await.unwrap();
        let actor = Actor { org_id: Uuid::nil(), principal: "operator".to_owned(), address: String::new() };
        tx.commit(&actor, "tests", "", "{}").await.unwrap();
        outcome
    }

    /// Stops the service cleanly and starts it again on the same data, with default settings.
    pub async fn restarted(self) -> Self {
        self.restarted_with(&[]).await
    }

    /// Stops the service cleanly and starts it again on the same data, with these settings changed.
    pub async fn restarted_with(mut self, set: &[(&str, &str)]) -> Self {
        let (folder, clock) = (self.folder.take().unwrap(), self.clock.clone());
        self.stop().await;
        Self::open(folder, clock, set).await
    }

    async fn stop(self) {
        let Self { db, app, client, stop, ended, .. } = self;
        drop((db, app, client));
        stop.send(()).unwrap();
        tokio::time::timeout(Duration::from_secs(20), ended).await.expect("it drains in time").unwrap();
    }

    /// Runs `guardengine admin` beside the service. Returns what it prints, or its error.
    pub async fn admin(&self, arguments: &[&str]) -> Result<Value, String> {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_guardengine"));
        command.arg("admin").args(arguments).arg("--data-dir").arg(self.folder.as_ref().unwrap().path());
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        let printed = if output.status.success() { Ok(&output.stdout) } else { Err(&output.stderr) };
        let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).unwrap();
        printed.map(|bytes| serde_json::from_str(&text(bytes)).unwrap()).map_err(text)
    }

    /// Returns the data directory.
    pub fn data_dir(&self) -> &Path {
        &self.app.operations.settings.data_dir
    }

    /// Returns the metrics in Prometheus's format.
    pub fn metrics(&self) -> String {
        self.app.operations.metrics.render()
    }

    /// Runs every maintenance job once.
    pub async fn run_maintenance(&self) {
        guardengine::maintenance::run_now(&self.app).await.unwrap();
    }

    /// Evaluates the alert rules that are due.
    pub async fn evaluate_alerts(&self) {
        guardengine::maintenance::evaluate_alerts_now(&self.app).await.unwrap();
    }

    /// Sends the events about heads of audit trails that are due every hour.
    pub async fn report_audit_heads(&self) {
        guardengine::audit_heads::send_events(&self.app).await.unwrap();
    }

    /// Writes pending activity: uses of keys, activity of sessions, requests without a log entry.
    pub async fn write_activity(&self) {
        self.app.write_activity_now().await;
    }

    /// Wakes the monitor of connectors.
    pub fn check_connectors(&self) {
        self.app.integrations.connectors_changed.notify_one();
    }

    /// Runs the check of the media workers that `/readyz` reports.
    #[cfg(feature = "media")]
    pub async fn check_media_workers(&self) {
        self.app.guard.media_workers().check().await;
    }

    /// Occupies the only permit to replay a policy until the returned value is dropped.
    pub fn replay_turn(&self) -> impl Sized + '_ {
        self.app.guard.replay_turn().unwrap()
    }

    pub fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub fn post(&self, path: &str) -> RequestBuilder {
        self.request(Method::POST, path)
    }

    pub async fn get(&self, token: &str, path: &str) -> Response {
        send(self.request(Method::GET, path).bearer_auth(token)).await
    }

    /// Sends a GET request without a credential.
    pub async fn get_public(&self, path: &str) -> Response {
        send(self.request(Method::GET, path)).await
    }

    pub async fn post_json(&self, token: &str, path: &str, body: &Value) -> Response {
        send(self.post(path).bearer_auth(token).json(body)).await
    }

    pub async fn put_json(&self, token: &str, path: &str, body: &Value) -> Response {
        send(self.request(Method::PUT, path).bearer_auth(token).json(body)).await
    }

    pub async fn delete(&self, token: &str, path: &str) -> Response {
        send(self.request(Method::DELETE, path).bearer_auth(token)).await
    }

    pub async fn sign_in(&self, username: &str, password: &str) -> Response {
        send(self.post("/token").form(&[("username", username), ("password", password)])).await
    }

    /// Returns the number of charges of the caller's organization.
    pub async fn charges(&self, token: &str) -> usize {
        let credits = self.get(token, "/api/credits").await;
        let entries = credits.body["ledger"].as_array().unwrap().iter();
        entries.filter(|entry| entry["operation"] != "initial").count()
    }

    /// Returns the id of the first organization.
    pub async fn org_id(&self) -> Uuid {
        self.db.org_by_name("default").await.unwrap().unwrap().id
    }

    /// Returns an access token of the first owner.
    pub async fn owner(&self) -> String {
        self.sign_in("admin", PASSWORD).await.text("access_token")
    }

    /// Creates a member of the first organization and returns an access token.
    pub async fn member(&self, username: &str, role: &str) -> String {
        self.user(self.org_id().await, username, role).await;
        self.sign_in(username, PASSWORD).await.text("access_token")
    }

    /// Creates a user of an organization, with the password of the tests.
    pub async fn user(&self, org_id: Uuid, username: &str, role: &str) {
        let password_hash = &self.app.auth.passwords().hash(PASSWORD).await.unwrap();
        let new = NewUser { username, password_hash, org_id, role };
        self.change(async |tx| tx.create_user(new, self.clock.now()).await).await;
    }

    /// Creates another organization and returns an access token of its owner.
    pub async fn stranger(&self) -> String {
        let created = self.change(async |tx| tx.create_org("elsewhere", 10, self.clock.now()).await).await;
        let Created::Done(org) = created else { panic!("the name is free") };
        self.user(org.id, "stranger", "owner").await;
        self.sign_in("stranger", PASSWORD).await.text("access_token")
    }

    /// Creates a policy of the caller's organization and returns its id.
    pub async fn policy(&self, token: &str, policy: &Value) -> String {
        self.post_json(token, "/api/policy/create", policy).await.text("policyId")
    }

    /// Creates a policy and a project with its name, and returns the project's id.
    pub async fn project(&self, token: &str, name: &str) -> String {
        self.project_with(token, &json!({ "policyName": name })).await
    }

    /// Creates a policy and a project with its name, and returns the project's id.
    pub async fn project_with(&self, token: &str, policy: &Value) -> String {
        let policy_id = self.policy(token, policy).await;
        let project = json!({ "projectName": policy["policyName"], "policyId": policy_id });
        self.post_json(token, "/api/project/create", &project).await.text("projectId")
    }

    /// Creates a connector to a language model at `url` and returns its id. The credential is `k-1`.
    pub async fn connector(&self, token: &str, provider: &str, url: &str, more: &Value) -> String {
        let mut body = json!({ "name": format!("{provider} {more}"), "api_key": "k-1" });
        let own = match provider {
            "azure_openai" => json!({ "endpoint": url, "deployment": "m" }),
            _ => json!({ "base_url": url, "model": "m" }),
        };
        for fields in [&own, more] {
            body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        }
        let created = self.post_json(token, &format!("/api/connectors/{provider}"), &body).await;
        assert_eq!(created.status, 200, "{}", created.body);
        created.text("id")
    }
}
