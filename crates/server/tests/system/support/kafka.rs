//! A look-alike of a Kafka cluster of a test's own, and a consumer of it.
//!
//! No package has Kafka itself. kcat, by librdkafka's author, has both: librdkafka's mock cluster, one broker that speaks
//! Kafka's protocol over TCP, in memory, without sign-in, TLS or limits; and its consumer, which knows nothing of us.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Write as _},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use super::program;

/// A record as librdkafka's consumer has it.
pub struct Record {
    /// Its key.
    pub key: String,
    /// Where it is.
    pub partition: i64,
    /// Milliseconds since the Unix epoch.
    pub time: i64,
    /// Its headers.
    pub headers: BTreeMap<String, String>,
    /// Its value.
    pub body: Value,
}

impl From<Value> for Record {
    fn from(told: Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let headers = told["headers"].as_array().unwrap().chunks(2);
        assert_eq!(told["tstype"], "create");
        Self {
            key: text(&told["key"]),
            partition: told["partition"].as_i64().unwrap(),
            time: told["ts"].as_i64().unwrap(),
            headers: headers.map(|pair| (text(&pair[0]), text(&pair[1]))).collect(),
            body: serde_json::from_str(told["payload"].as_str().unwrap()).unwrap(),
        }
    }
}

/// A cluster of one broker; killed when it goes.
pub struct Kafka {
    program: PathBuf,
    server: Child,
    /// Where its broker listens.
    pub address: String,
}

impl Kafka {
    /// `None`, said, where there is no kcat.
    pub fn start() -> Option<Self> {
        let program = program(&["kcat"])?;
        let mut command = Command::new(&program);
        // A producer that waits for lines: the cluster lives in it.
        command.args(["-P", "-b", "127.0.0.1:1", "-t", "unused"]);
        command.args(["-X", "test.mock.num.brokers=1", "-d", "mock"]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let mut lines = BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find_map(|line| Some(line.split_once("bootstrap.servers=")?.1.to_owned()));
        // What comes later must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self { program, server, address: address.expect("it listens") })
    }

    /// What kcat says, asked of this cluster.
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

    /// Makes a topic, of four partitions as this cluster has them by default.
    pub fn make(&self, topic: &str) {
        assert!(self.kcat(&["-L", "-t", topic], "").contains("with 4 partitions"));
    }

    /// Every record of a topic; those of a partition in their order.
    pub fn records(&self, topic: &str) -> Vec<Record> {
        let told = self.kcat(&["-C", "-t", topic, "-o", "beginning", "-e", "-q", "-J"], "");
        told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap().into()).collect()
    }

    /// The partition that librdkafka chooses for a key, as Kafka's own producers choose it.
    pub fn partition_of(&self, key: &str) -> i64 {
        self.kcat(&["-P", "-t", key, "-k", key, "-H", "a=b", "-X", "partitioner=murmur2"], "{}");
        self.records(key)[0].partition
    }

    /// Its broker answers nobody any more, and keeps every connection.
    pub fn hang(&self) {
        self.signal("-STOP");
    }

    /// It answers again, also what it was asked meanwhile.
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
