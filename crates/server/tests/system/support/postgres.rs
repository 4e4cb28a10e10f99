//! PostgreSQL and Redis for replicas: a schema and a server of a test's own, and links to them that can be cut.

use std::{
    env,
    net::{SocketAddr, TcpListener as StdListener},
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

use sqlx::{Connection as _, PgConnection, postgres::PgConnectOptions};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
};

/// A fresh schema of the PostgreSQL that tests run beside, by the address of it; `None`, said, where there is none.
pub async fn postgres() -> Option<String> {
    let Ok(url) = env::var("GUARDENGINE_TEST_POSTGRES") else {
        eprintln!(
            "skipped: GUARDENGINE_TEST_POSTGRES names no PostgreSQL (scripts/with-postgres starts one)"
        );
        return None;
    };
    let schema = format!("replicas_{}", uuid::Uuid::now_v7().simple());
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let statement = sqlx::AssertSqlSafe(format!("CREATE SCHEMA {schema}"));
    sqlx::query(statement).execute(&mut connection).await.unwrap();
    let joint = if url.contains('?') { '&' } else { '?' };
    Some(format!("{url}{joint}options[search_path]={schema}"))
}

/// The first of these programs that is installed; `None`, said, where none is.
pub fn program(names: &[&str]) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    // Servers of the system's packages lie where only its administrators look.
    let folders = env::split_paths(&folders).chain(["/usr/sbin".into()]).collect::<Vec<_>>();
    let mut programs = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = programs.find(|program| program.is_file());
    if found.is_none() {
        assert!(env::var_os("GUARDENGINE_TEST_ALL").is_none(), "none of {names:?} is installed");
        eprintln!("skipped: none of {names:?} is installed (scripts/install-deps test installs one)");
    }
    found
}

/// A Redis of a test's own; killed when it goes.
pub struct Redis {
    server: Child,
    program: PathBuf,
    port: u16,
}

impl Redis {
    /// `None`, said, where there is neither Redis nor Valkey.
    pub async fn start() -> Option<Self> {
        let program = program(&["valkey-server", "redis-server"])?;
        let port = StdListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let redis = Self { server: served(&program, port), program, port };
        redis.answers().await;
        Some(redis)
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub fn kill(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }

    pub async fn start_again(&mut self) {
        self.server = served(&self.program, self.port);
        self.answers().await;
    }

    /// The answer to a command.
    pub async fn tell(&self, command: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
        stream.write_all(format!("{command}\r\n").as_bytes()).await?;
        let mut answer = [0; 64];
        let length = stream.read(&mut answer).await?;
        Ok(String::from_utf8_lossy(&answer[..length]).trim().to_owned())
    }

    async fn answers(&self) {
        while self.tell("PING").await.ok().as_deref() != Some("+PONG") {
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

fn served(program: &PathBuf, port: u16) -> Child {
    let mut command = Command::new(program);
    command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    command.stdout(Stdio::null()).spawn().unwrap()
}

/// What becomes of what is sent over a link.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// It arrives.
    Whole,
    /// Connections break, and none is made: the server is gone.
    Broken,
    /// It goes nowhere, and nobody is told: the network is gone.
    Silent,
}

/// A link to the test's PostgreSQL.
pub struct Link {
    address: SocketAddr,
    wire: watch::Sender<Wire>,
    to: PgConnectOptions,
    query: String,
}

impl Link {
    #[expect(clippy::disallowed_methods, reason = "a test's own task")]
    pub async fn to(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, wire) = (listener.local_addr().unwrap(), watch::Sender::new(Wire::Whole));
        let to: PgConnectOptions = url.parse().unwrap();
        let query = url.split(['?', '&']).find(|part| part.starts_with("options")).unwrap().to_owned();
        tokio::spawn(accept(listener, wire.clone(), to.clone()));
        Self { address, wire, to, query }
    }

    /// The address that goes over it.
    pub fn url(&self) -> String {
        let (user, database) = (self.to.get_username(), self.to.get_database().unwrap_or("postgres"));
        format!("postgres://{user}@{}/{database}?{}", self.address, self.query)
    }

    pub fn becomes(&self, wire: Wire) {
        self.wire.send_replace(wire);
    }
}

#[expect(clippy::disallowed_methods, reason = "a test's own tasks")]
async fn accept(listener: TcpListener, wire: watch::Sender<Wire>, to: PgConnectOptions) {
    while let Ok((near, _)) = listener.accept().await {
        if *wire.borrow() == Wire::Broken {
            continue;
        }
        let (wire, to) = (wire.subscribe(), to.clone());
        tokio::spawn(async move {
            match to.get_socket() {
                Some(folder) => {
                    let path = folder.join(format!(".s.PGSQL.{}", to.get_port()));
                    carry(near, UnixStream::connect(path).await.unwrap(), wire).await;
                }
                None => {
                    carry(near, TcpStream::connect((to.get_host(), to.get_port())).await.unwrap(), wire)
                        .await;
                }
            }
        });
    }
}

async fn carry(near: TcpStream, far: impl AsyncRead + AsyncWrite, mut wire: watch::Receiver<Wire>) {
    let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), tokio::io::split(far));
    let there = forward(near_read, far_write, wire.clone());
    let back = forward(far_read, near_write, wire.clone());
    tokio::select! {
        () = there => {}
        () = back => {}
        _ = wire.wait_for(|wire| *wire == Wire::Broken) => {}
    }
}

async fn forward(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut wire: watch::Receiver<Wire>,
) {
    let mut bytes = vec![0; 16 << 10];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        if wire.wait_for(|wire| *wire != Wire::Silent).await.is_err()
            || to.write_all(&bytes[..length]).await.is_err()
        {
            return;
        }
    }
}
