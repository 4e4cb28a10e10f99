//! A fake Kafka cluster for one test, with a consumer.
//!
//! Debian has no package of Kafka. kcat, by librdkafka's author, provides both: librdkafka's mock cluster, an in-memory
//! broker that speaks Kafka's protocol over TCP, without sign-in, TLS or limits; and an independent consumer.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Write as _},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use super::program;

/// A record, as librdkafka's consumer returns it.
pub struct Record {
    /// Key.
    pub key: String,
    /// Partition.
    pub partition: i64,
    /// Milliseconds since the Unix epoch.
    pub time: i64,
    /// Headers.
    pub headers: BTreeMap<String, String>,
    /// Value.
    pub body: Value,
}

impl From<Value> for Record {
    fn from(reported: Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let headers = reported["headers"].as_array().unwrap().chunks(2);
        assert_eq!(reported["tstype"], "create");
        Self {
            key: text(&reported["key"]),
            partition: reported["partition"].as_i64().unwrap(),
            time: reported["ts"].as_i64().unwrap(),
            headers: headers.map(|pair| (text(&pair[0]), text(&pair[1]))).collect(),
            body: serde_json::from_str(reported["payload"].as_str().unwrap()).unwrap(),
        }
    }
}

/// A cluster of one broker, killed when it is dropped.
pub struct Kafka {
    program: PathBuf,
    server: Child,
    /// Address of the broker.
    pub address: String,
}

impl Kafka {
    /// Starts a cluster. Without kcat, says so and returns `None`.
    pub fn start() -> Option<Self> {
        let program = program(&["kcat"])?;
        let mut command = Command::new(&program);
        // The cluster runs inside a producer that waits for lines.
        command.args(["-P", "-b", "127.0.0.1:1", "-t", "unused"]);
        command.args(["-X", "test.mock.num.brokers=1", "-d", "mock"]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let mut lines = BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find_map(|line| Some(line.split_once("bootstrap.servers=")?.1.to_owned()));
        // Later lines must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self { program, server, address: address.expect("it listens") })
    }

    /// Runs kcat on this cluster and returns its output.
    fn kcat(&self, arguments: &[&str], line: &str) -> String {
        let mut command = Command::new(&self.program);
        command.args(["-b", &self.address]).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Creates a topic with four partitions, the default of this cluster.
    pub fn make(&self, topic: &str) {
        assert!(self.kcat(&["-L", "-t", topic], "").contains("with 4 partitions"));
    }

    /// Returns every record of a topic, in order within a partition.
    pub fn records(&self, topic: &str) -> Vec<Record> {
        let reported = self.kcat(&["-C", "-t", topic, "-o", "beginning", "-e", "-q", "-J"], "");
        reported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap().into()).collect()
    }

    /// Returns the partition that librdkafka and Kafka's own producers choose for a key.
    pub fn partition_of(&self, key: &str) -> i64 {
        self.kcat(&["-P", "-t", key, "-k", key, "-H", "a=b", "-X", "partitioner=murmur2"], "{}");
        self.records(key)[0].partition
    }

    /// Stops the broker from responding, with its connections open.
    pub fn hang(&self) {
        self.signal("-STOP");
    }

    /// Lets the broker respond again, also to earlier requests.
    pub fn go_on(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let process = self.server.id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
    }
}

impl Drop for Kafka {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}
