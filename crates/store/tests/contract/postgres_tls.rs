//! PostgreSQL over TLS, with a private server and a certificate created by the test.

use std::{
    env, fs,
    net::TcpListener,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use guardengine_store::Db;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tempfile::TempDir;

/// A server, killed when it is dropped.
struct Server {
    child: Child,
    folder: TempDir,
    port: u16,
}

impl Server {
    /// Starts a server. Without its programs, prints a note and returns `None`.
    async fn start() -> Option<Self> {
        let Some(programs) = env::var("GUARDENGINE_TEST_POSTGRES").ok().and_then(|_| programs()) else {
            eprintln!(
                "skipped: PostgreSQL or its server programs are missing (scripts/with-postgres installs them)"
            );
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        certify(folder.path(), "authority", "localhost");
        certify(folder.path(), "stranger", "somebody.else");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        if is_root() {
            ran(Command::new("chown").args(["-R", "postgres"]).arg(folder.path()));
        }
        let options = ["-U", "guardengine", "-A", "trust", "--no-sync", "-D", "data"];
        ran(as_user(&programs.join("initdb"), folder.path()).args(options));
        let settings = format!(
            "listen_addresses = 'localhost'\nport = {port}\nunix_socket_directories = ''\nfsync = off\n\
             ssl = on\nssl_cert_file = '../authority.crt'\nssl_key_file = '../authority.key'\n"
        );
        fs::write(folder.path().join("data/postgresql.conf"), settings).unwrap();
        let mut server = as_user(&programs.join("postgres"), folder.path());
        server.args(["-D", "data"]);
        let child = server.stderr(Stdio::null()).spawn().unwrap();
        let server = Self { child, folder, port };
        let began = Instant::now();
        while PgConnection::connect(&server.url("")).await.is_err() {
            assert!(began.elapsed() < Duration::from_mins(1), "the server does not start");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Some(server)
    }

    fn url(&self, query: &str) -> String {
        format!("postgres://guardengine@localhost:{}/postgres?{query}", self.port)
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Returns the error for a URL that cannot be opened.
    async fn refusal(&self, query: &str) -> String {
        Db::open(&self.url(query)).await.expect_err(query).to_string()
    }

    /// Changes a setting, and waits until it applies to new connections.
    async fn set(&self, name: &str, value: &str) {
        let own = async || PgConnection::connect(&self.url("sslmode=disable")).await.unwrap();
        let statement = AssertSqlSafe(format!("ALTER SYSTEM SET {name} = '{value}'"));
        sqlx::query(statement).execute(&mut own().await).await.unwrap();
        sqlx::query("SELECT pg_reload_conf()").execute(&mut own().await).await.unwrap();
        let current = async || {
            let current = sqlx::query_scalar::<_, String>("SELECT current_setting($1)").bind(name);
            current.fetch_one(&mut own().await).await.unwrap()
        };
        while current().await != value {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Returns the number of other connections that are encrypted, and that are not.
    async fn connections(&self) -> (i64, i64) {
        let mut own = PgConnection::connect(&self.url("sslmode=disable")).await.unwrap();
        sqlx::query_as(
            "SELECT COUNT(*) FILTER (WHERE ssl), COUNT(*) FILTER (WHERE NOT ssl) FROM pg_stat_ssl
             JOIN pg_stat_activity USING (pid) WHERE client_port IS NOT NULL AND pid <> pg_backend_pid()",
        )
        .fetch_one(&mut own)
        .await
        .unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Returns the folder of the server programs: one in PATH, or Debian's folder of a version.
fn programs() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = env::split_paths(&path).chain(versions.map(|version| version.path().join("bin")));
    folders.into_iter().find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
}

fn is_root() -> bool {
    tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0
}

/// Returns true for root, as which PostgreSQL refuses to run.
fn as_user(program: &Path, folder: &Path) -> Command {
    let mut command = if is_root() { Command::new("setpriv") } else { Command::new(program) };
    if is_root() {
        command.args(["--reuid", "postgres", "--regid", "postgres", "--init-groups"]).arg(program);
    }
    command.current_dir(folder).stdout(Stdio::null());
    command
}

fn ran(command: &mut Command) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Creates a certificate authority and a certificate signed by it for this name: NAME-ca.crt, NAME.crt, NAME.key.
fn certify(folder: &Path, name: &str, host: &str) {
    let openssl = |arguments: &[&str]| {
        let key =
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
        ran(Command::new("openssl").current_dir(folder).args(key).args(arguments));
    };
    let (authority, authority_key) = (&format!("{name}-ca.crt"), &format!("{name}-ca.key"));
    let (own, own_key) = (&format!("{name}.crt"), &format!("{name}.key"));
    openssl(&["-subj", &format!("/CN=authority {name}"), "-keyout", authority_key, "-out", authority]);
    let names = format!("subjectAltName=DNS:{host}");
    let signed = ["-CA", authority, "-CAkey", authority_key, "-keyout", own_key, "-out", own];
    let is_no_authority =
        ["-addext", "basicConstraints=critical,CA:FALSE", "-addext", &names, "-subj", "/CN=server"];
    openssl(&[&signed[..], &is_no_authority[..]].concat());
}

#[tokio::test]
async fn every_connection_is_encrypted_if_the_url_requires_it() {
    let Some(server) = Server::start().await else { return };
    for mode in ["verify-full", "verify-ca", "require"] {
        let query = format!("sslmode={mode}&sslrootcert={}", server.file("authority-ca.crt"));
        let db = Db::open(&server.url(&query)).await.unwrap();
        let mut probe = db.probe();
        probe.heads().await.unwrap();
        let (encrypted, plain) = server.connections().await;
        assert!(encrypted >= 2 && plain == 0, "{mode}: {encrypted} encrypted, {plain} not");
        db.close().await;
    }
}

#[tokio::test]
async fn an_untrusted_server_is_refused_with_the_reason() {
    let Some(server) = Server::start().await else { return };
    let stranger = server.file("stranger-ca.crt");
    for query in [
        "sslmode=verify-full".to_owned(),
        format!("sslmode=verify-ca&sslrootcert={stranger}"),
        // A configured authority replaces those of the system.
        format!("sslmode=require&sslrootcert={stranger}"),
    ] {
        let error = server.refusal(&query).await;
        assert!(
            error.contains("its certificate is not trusted") && error.contains("sslrootcert"),
            "{query}: {error}"
        );
    }
    let error = server.refusal("sslmode=require&sslrootcert=/nowhere/ca.crt").await;
    assert!(error.contains("a file named in database_url"), "{error}");

    // A certificate of that authority for another name.
    server.set("ssl_key_file", "../stranger.key").await;
    server.set("ssl_cert_file", "../stranger.crt").await;
    let error = server.refusal(&format!("sslmode=verify-full&sslrootcert={stranger}")).await;
    assert!(error.contains("not valid for name") && error.contains("somebody.else"), "{error}");
    Db::open(&server.url(&format!("sslmode=verify-ca&sslrootcert={stranger}"))).await.unwrap();
}

#[tokio::test]
async fn a_server_without_tls_is_refused_with_the_reason() {
    let Some(server) = Server::start().await else { return };
    server.set("ssl", "off").await;
    let error = server.refusal("sslmode=require").await;
    assert!(error.contains("server does not support TLS"), "{error}");
    Db::open(&server.url("")).await.unwrap();
}
