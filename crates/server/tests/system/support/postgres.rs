//! A PostgreSQL schema for one test, and connections to it that can be cut.

use std::{env, net::SocketAddr};

use sqlx::{Connection as _, PgConnection, postgres::PgConnectOptions};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
};

/// Creates a schema in the PostgreSQL of the tests and returns its URL. Without PostgreSQL, prints a note and returns
/// `None`.
pub async fn postgres() -> Option<String> {
    let Ok(url) = env::var("GUARDENGINE_TEST_POSTGRES") else {
        eprintln!("skipped: GUARDENGINE_TEST_POSTGRES is not set (scripts/with-postgres starts a server)");
        return None;
    };
    let schema = format!("replicas_{}", uuid::Uuid::now_v7().simple());
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let statement = sqlx::AssertSqlSafe(format!("CREATE SCHEMA {schema}"));
    sqlx::query(statement).execute(&mut connection).await.unwrap();
    let joint = if url.contains('?') { '&' } else { '?' };
    Some(format!("{url}{joint}options[search_path]={schema}"))
}

/// State of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LinkState {
    /// Bytes arrive.
    Up,
    /// Connections break and no new one opens, as when the server is down.
    Broken,
    /// Bytes are lost without an error, as when the network is down.
    Silent,
}

/// A TCP proxy to the PostgreSQL of the test.
pub struct Link {
    address: SocketAddr,
    state: watch::Sender<LinkState>,
    to: PgConnectOptions,
    query: String,
}

impl Link {
    #[expect(clippy::disallowed_methods, reason = "a test's own task")]
    pub async fn to(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, state) = (listener.local_addr().unwrap(), watch::Sender::new(LinkState::Up));
        let to: PgConnectOptions = url.parse().unwrap();
        let query = url.split(['?', '&']).find(|part| part.starts_with("options")).unwrap().to_owned();
        tokio::spawn(accept(listener, state.clone(), to.clone()));
        Self { address, state, to, query }
    }

    /// Returns the URL of the database through the link.
    pub fn url(&self) -> String {
        let (user, database) = (self.to.get_username(), self.to.get_database().unwrap_or("postgres"));
        format!("postgres://{user}@{}/{database}?{}", self.address, self.query)
    }

    pub fn set(&self, state: LinkState) {
        self.state.send_replace(state);
    }
}

#[expect(clippy::disallowed_methods, reason = "a test's own tasks")]
async fn accept(listener: TcpListener, state: watch::Sender<LinkState>, to: PgConnectOptions) {
    while let Ok((near, _)) = listener.accept().await {
        if *state.borrow() == LinkState::Broken {
            continue;
        }
        let (state, to) = (state.subscribe(), to.clone());
        tokio::spawn(async move {
            match to.get_socket() {
                Some(folder) => {
                    let path = folder.join(format!(".s.PGSQL.{}", to.get_port()));
                    carry(near, UnixStream::connect(path).await.unwrap(), state).await;
                }
                None => {
                    carry(near, TcpStream::connect((to.get_host(), to.get_port())).await.unwrap(), state)
                        .await;
                }
            }
        });
    }
}

async fn carry(near: TcpStream, far: impl AsyncRead + AsyncWrite, mut state: watch::Receiver<LinkState>) {
    let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), tokio::io::split(far));
    let there = forward(near_read, far_write, state.clone());
    let back = forward(far_read, near_write, state.clone());
    tokio::select! {
        () = there => {}
        () = back => {}
        _ = state.wait_for(|state| *state == LinkState::Broken) => {}
    }
}

async fn forward(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut state: watch::Receiver<LinkState>,
) {
    let mut bytes = vec![0; 16 << 10];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        if state.wait_for(|state| *state != LinkState::Silent).await.is_err()
            || to.write_all(&bytes[..length]).await.is_err()
        {
            return;
        }
    }
}
