//! A private Redis for the measurement.

use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use tokio::net::TcpStream;

/// Redis or Valkey on a free port. Dropping the value kills it.
pub struct Redis {
    server: Child,
    port: u16,
}

impl Redis {
    /// Starts whichever is installed, without writing to disk.
    pub async fn start() -> Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut started = ["valkey-server", "redis-server"].into_iter().map(|name| serve(name, port));
        let server = started.find_map(Result::ok).context("neither valkey-server nor redis-server starts")?;
        let redis = Self { server, port };
        redis.wait_until_reached().await?;
        Ok(redis)
    }

    /// Returns its URL.
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Returns its process id.
    pub fn pid(&self) -> u32 {
        self.server.id()
    }

    async fn wait_until_reached(&self) -> Result<()> {
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        bail!("Redis cannot be reached")
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

fn serve(program: &str, port: u16) -> Result<Child> {
    let mut command = Command::new(program);
    command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    Ok(command.stdout(Stdio::null()).spawn()?)
}
