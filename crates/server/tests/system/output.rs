//! Standard output and standard error that fail: readers that are gone or stall, full disks.

use std::{
    fs::OpenOptions,
    io::{BufRead as _, BufReader, Read as _},
    net::TcpListener,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use guardengine_egress::client;
use reqwest::Client;
use tempfile::tempdir;

use crate::support::process::guardengine;

const STARTS_WITHIN: Duration = Duration::from_mins(1);
const ENDS_WITHIN: Duration = Duration::from_secs(20);
/// Longer than the pipe and the queue of log lines, together with `LONG_PATH`.
const MANY: usize = 300;
const LONG_PATH: usize = 30_000;

/// A service at a known address, because its standard error may not show it.
struct Deaf {
    child: Child,
    base: String,
    client: Client,
}

impl Deaf {
    fn start(folder: &Path, stderr: Stdio) -> Self {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut command = guardengine(folder, &["serve"]);
        let child = command.env("GUARDENGINE_LISTEN", address.to_string()).stderr(stderr).spawn().unwrap();
        Self { child, base: format!("http://{address}"), client: client().build().unwrap() }
    }

    async fn get(&self, path: &str) -> Option<(u16, String)> {
        let request = self.client.get(format!("{}{path}", self.base));
        let answer = request.timeout(Duration::from_secs(10)).send().await.ok()?;
        Some((answer.status().as_u16(), answer.text().await.ok()?))
    }

    async fn serves(&self) {
        let began = Instant::now();
        while self.get("/readyz").await.is_none_or(|(status, _)| status != 200) {
            assert!(began.elapsed() < STARTS_WITHIN, "does not serve");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Returns the number of log lines that were dropped.
    async fn dropped(&self) -> f64 {
        let (_, metrics) = self.get("/metrics").await.unwrap();
        let value =
            metrics.lines().find_map(|line| line.strip_prefix("guardengine_service_log_dropped_total "));
        value.unwrap().parse().unwrap()
    }

    /// Asks for a stop and waits for the end.
    fn stop(mut self) -> ExitStatus {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(began.elapsed() < ENDS_WITHIN, "does not end");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Deaf {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_outlives_the_reader_of_its_log() {
    let folder = tempdir().unwrap();
    let mut service = Deaf::start(folder.path(), Stdio::piped());
    let mut log = BufReader::new(service.child.stderr.take().unwrap());
    assert!(log.read_line(&mut String::new()).unwrap() > 0);
    drop(log);
    service.serves().await;
    for _ in 0..3 {
        assert_eq!(service.get("/healthz").await.unwrap().0, 200);
    }
    assert!(service.dropped().await > 0.0);
    assert!(service.stop().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_starts_and_runs_while_its_log_cannot_be_written() {
    let folder = tempdir().unwrap();
    let service = Deaf::start(folder.path(), full());
    service.serves().await;
    assert!(service.dropped().await > 0.0);
    assert!(service.stop().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_of_the_log_that_stalls_delays_nothing() {
    let folder = tempdir().unwrap();
    let mut service = Deaf::start(folder.path(), Stdio::piped());
    let mut log = service.child.stderr.take().unwrap();
    service.serves().await;
    let path = format!("/{}", "a".repeat(LONG_PATH));
    for _ in 0..MANY {
        assert_eq!(service.get(&path).await.unwrap().0, 404);
    }
    assert!(service.dropped().await > 0.0);
    // The reader continues, and learns that it missed lines.
    let reader = std::thread::spawn(move || {
        let mut lines = Vec::new();
        log.read_to_end(&mut lines).unwrap();
        String::from_utf8(lines).unwrap()
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let dropped = service.dropped().await;
    assert_eq!(service.get("/healthz").await.unwrap().0, 200);
    assert_eq!(service.dropped().await, dropped);
    assert!(service.stop().success());
    assert!(reader.join().unwrap().contains("standard error did not accept all log lines"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stalled_reader_of_the_log_does_not_delay_the_stop() {
    let folder = tempdir().unwrap();
    let mut service = Deaf::start(folder.path(), Stdio::piped());
    let _stalled = service.child.stderr.take();
    service.serves().await;
    for _ in 0..10 {
        service.get(&format!("/{}", "a".repeat(LONG_PATH))).await.unwrap();
    }
    assert!(service.stop().success());
}

/// Commands that print something without a service.
const COMMANDS: [&[&str]; 10] = [
    &["--help"],
    &["--version"],
    &["config", "check"],
    &["config", "show"],
    &["config", "schema"],
    &["openapi"],
    &["completions", "bash"],
    &["man"],
    &["doctor"],
    &["admin", "create-org", "--name", "Output"],
];

#[test]
fn commands_report_standard_output_that_cannot_be_written() {
    let folder = tempdir().unwrap();
    for arguments in COMMANDS {
        let output = guardengine(folder.path(), arguments).stdout(full()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.contains("cannot write to standard output: No space left"), "{arguments:?}: {error}");
        let status = guardengine(folder.path(), arguments).stdout(full()).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(1), "{arguments:?}");
    }
}

#[test]
fn commands_end_quietly_when_the_reader_of_their_output_is_gone() {
    let folder = tempdir().unwrap();
    for arguments in COMMANDS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = guardengine(folder.path(), arguments).stdout(writer).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn notes_that_cannot_be_written_do_not_end_a_command() {
    let folder = tempdir().unwrap();
    let backup = folder.path().join("backup.db");
    let arguments = ["backup", backup.to_str().unwrap()];
    let status =
        guardengine(folder.path(), &arguments).stdout(Stdio::null()).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(0));
    let status =
        guardengine(folder.path(), &arguments).stderr(full()).stdout(Stdio::null()).status().unwrap();
    assert_eq!(status.code(), Some(1), "the file exists");
    let status = guardengine(folder.path(), &["no-such-command"]).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}
