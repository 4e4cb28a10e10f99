//! The release binary on a fresh data directory, without rate limits and with enough credits.

use std::{net::TcpListener, path::Path, process::Stdio, time::Duration};

use anyhow::{Context, Result, bail, ensure};
use reqwest::Client;
use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::AsyncWriteExt as _,
    process::{Child, Command},
};

use crate::load::Target;

const PASSWORD: &str = "Bench-password-1";

/// The service's process and data. Dropping the value removes both.
pub struct Service {
    /// The analyze endpoint.
    pub target: Target,
    base: String,
    data: TempDir,
    process: Child,
}

impl Service {
    /// Returns the target of `path`.
    pub fn at(&self, path: &str) -> Target {
        Target { url: format!("{}{path}", self.base), key: self.target.key.clone() }
    }

    /// Creates an organization with a user, and returns the analyze endpoint with a key of its own.
    pub async fn other_organization(&self, binary: &Path) -> Result<Target> {
        let org = self.admin(binary, &["create-org", "--name", "other", "--credits", "1000000000"]).await?;
        let org = org["org_id"].as_str().context("no organization")?;
        let user =
            ["create-user", "--username", "other", "--org", org, "--role", "owner", "--password-stdin"];
        self.admin(binary, &user).await?;
        Ok(Target { url: self.target.url.clone(), key: api_key(&self.base, "other").await? })
    }

    /// Runs an operator command, with the password as its standard input, and returns what it prints.
    async fn admin(&self, binary: &Path, arguments: &[&str]) -> Result<Value> {
        let mut command = Command::new(binary);
        command.arg("admin").args(arguments).env("GUARDENGINE_DATA_DIR", self.data.path());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut input = child.stdin.take().context("no standard input")?;
        // A command that reads nothing may have ended.
        drop(input.write_all(format!("{PASSWORD}\n").as_bytes()).await);
        drop(input);
        let output = child.wait_with_output().await?;
        ensure!(output.status.success(), "admin {} failed", arguments[0]);
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// Returns its address and port.
    pub fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    /// Returns its process id.
    pub fn pid(&self) -> Result<u32> {
        self.process.id().context("the service has ended")
    }

    /// Returns its resident memory in megabytes.
    pub fn resident(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid()?))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        let kilobytes: f64 = line.trim().trim_end_matches(" kB").trim().parse()?;
        Ok(kilobytes / 1024.0)
    }

    /// Fills its log.
    pub async fn fill_log(&self, binary: &Path, rows: u64) -> Result<()> {
        let mut command = Command::new(binary);
        command.args(["fill-log", "--rows", &rows.to_string(), "--data-dir"]).arg(self.data.path());
        ensure!(command.status().await?.success(), "the log could not be filled");
        Ok(())
    }
}

/// Starts the service and creates an API key.
pub async fn start(binary: &Path) -> Result<Service> {
    start_as(Command::new(binary), &[]).await
}

/// Starts the service with further settings.
pub async fn start_with(binary: &Path, settings: &[(&str, &str)]) -> Result<Service> {
    start_as(Command::new(binary), settings).await
}

/// Starts the service on a single core of the machine, with further settings.
pub async fn start_on_core(binary: &Path, core: usize, settings: &[(&str, &str)]) -> Result<Service> {
    let mut command = Command::new("taskset");
    command.args(["-c", &core.to_string()]).arg(binary);
    start_as(command, settings).await
}

async fn start_as(mut command: Command, settings: &[(&str, &str)]) -> Result<Service> {
    let data = TempDir::new()?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let process = command
        .arg("serve")
        .env("GUARDENGINE_LISTEN", format!("127.0.0.1:{port}"))
        .env("GUARDENGINE_DATA_DIR", data.path())
        .env("GUARDENGINE_ADMIN__USERNAME", "bench")
        .env("GUARDENGINE_ADMIN__PASSWORD", PASSWORD)
        .env("GUARDENGINE_LIMITS__ANALYZE", "off")
        .env("GUARDENGINE_LIMITS__DEFAULT", "off")
        .env("GUARDENGINE_CREDITS__INITIAL", "1000000000")
        .env("RUST_LOG", "error")
        .envs(settings.iter().copied())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("cannot start {command:?}"))?;
    let base = format!("http://127.0.0.1:{port}");
    wait_until_ready(&base).await?;
    let target = Target {
        url: format!("{base}/v2/guardengine/svc_firewall_analyze"),
        key: api_key(&base, "bench").await?,
    };
    Ok(Service { target, base, data, process })
}

async fn wait_until_ready(base: &str) -> Result<()> {
    for _ in 0..600 {
        if let Ok(answer) = reqwest::get(format!("{base}/readyz")).await
            && answer.status().is_success()
        {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!("the service was not ready after thirty seconds")
}

async fn api_key(base: &str, username: &str) -> Result<String> {
    let client = Client::new();
    let form = [("username", username), ("password", PASSWORD)];
    let token: Value = client.post(format!("{base}/token")).form(&form).send().await?.json().await?;
    let token = token["access_token"].as_str().context("no access token")?;
    let create = client.post(format!("{base}/api-keys/create?name=bench")).bearer_auth(token);
    let key: Value = create.send().await?.json().await?;
    Ok(key["api_key"].as_str().context("no API key")?.to_owned())
}
