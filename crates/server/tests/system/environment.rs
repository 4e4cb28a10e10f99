//! Environments that the service must start in.

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
};

use tempfile::tempdir;

use crate::support::process::guardengine;

/// Starts the service with these variables and returns what it logs until it listens.
fn start(variables: &[(&str, &str)]) -> String {
    let folder = tempdir().unwrap();
    let mut command = guardengine(folder.path(), &["serve"]);
    let mut child = command.envs(variables.iter().copied()).stderr(Stdio::piped()).spawn().unwrap();
    let mut log = String::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap) {
        log += &line;
        log.push('\n');
        if line.contains("listening on") {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(log.contains("listening on"), "{log}");
    log
}

#[test]
fn starts_without_certificate_authorities() {
    let log = start(&[("SSL_CERT_FILE", "/dev/null"), ("SSL_CERT_DIR", "/nonexistent")]);
    assert_eq!(log.matches("install the package ca-certificates").count(), 1, "{log}");
}

#[test]
fn starts_beside_a_kubernetes_service_of_the_same_name() {
    let log = start(&[
        ("GUARDENGINE_PORT", "tcp://10.96.0.7:80"),
        ("GUARDENGINE_PORT_80_TCP_ADDR", "10.96.0.7"),
        ("GUARDENGINE_SERVICE_HOST", "10.96.0.7"),
    ]);
    let variables = "GUARDENGINE_PORT, GUARDENGINE_PORT_80_TCP_ADDR, GUARDENGINE_SERVICE_HOST";
    assert_eq!(log.matches(variables).count(), 1, "{log}");
}
