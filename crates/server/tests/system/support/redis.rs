//! A Redis or Valkey server for one test.

use std::{
    net::TcpListener as StdListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::program;

/// A server, killed when it is dropped.
pub struct Redis {
    server: Child,
    program: PathBuf,
    port: u16,
}

impl Redis {
    /// Starts a server. Without Redis and Valkey, prints a note and returns `None`.
    pub async fn start() -> Option<Self> {
        let program = program(&["valkey-server", "redis-server"])?;
        let port = StdListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let redis = Self { server: serve(&program, port), program, port };
        redis.wait_until_up().await;
        Some(redis)
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Sends a signal to the server, such as `STOP`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.server.id().to_string()]).status();
        assert!(sent.unwrap().success(), "{name}");
    }

    pub fn kill(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }

    pub async fn start_again(&mut self) {
        self.server = serve(&self.program, self.port);
        self.wait_until_up().await;
    }

    /// Sends a command and returns the reply.
    pub async fn command(&self, command: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
        stream.write_all(format!("{command}\r\n").as_bytes()).await?;
        let mut answer = [0; 64];
        let length = stream.read(&mut answer).await?;
        Ok(String::from_utf8_lossy(&answer[..length]).trim().to_owned())
    }

    async fn wait_until_up(&self) {
        while self.command("PING").await.ok().as_deref() != Some("+PONG") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

fn serve(program: &PathBuf, port: u16) -> Child {
    let mut command = Command::new(program);
    command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    command.stdout(Stdio::null()).spawn().unwrap()
}
