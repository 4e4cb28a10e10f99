//! Restrictions of media workers by the kernel.

use std::{
    io::{Read as _, Write as _},
    process::{Child, Command, Stdio},
};

use guardengine_media::{Request, Response, WorkerLimits, audio};
use guardengine_test_support::models;

const MEMORY: u64 = 1 << 30;

fn setup() -> WorkerLimits {
    WorkerLimits {
        memory: MEMORY,
        pixels: 1_000_000,
        seconds: 60,
        processor_seconds: 5,
        ocr: guardengine_media::OcrEngine::Auto,
        models: models::folder().unwrap_or_else(|| "/nonexistent".into()),
        languages: "eng".to_owned(),
        whisper: None,
        background: false,
        require_sandbox: false,
    }
}

/// Encodes a message for a worker: two lengths, JSON, bytes.
fn message(message: &impl serde::Serialize, bytes: &[u8]) -> Vec<u8> {
    let json = serde_json::to_vec(message).unwrap();
    let lengths = [(json.len() as u32).to_le_bytes(), (bytes.len() as u32).to_le_bytes()].concat();
    [&lengths, &*json, bytes].concat()
}

/// Starts a worker and waits for its first response, after which it is confined.
fn worker(kind: &str) -> Child {
    let program = env!("CARGO_BIN_EXE_guardengine");
    let mut command = Command::new(program);
    let command = command.args(["worker", kind]).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut worker = command.spawn().unwrap();
    let input = worker.stdin.as_mut().unwrap();
    input.write_all(&message(&setup(), &[])).unwrap();
    input.write_all(&message(&Request::CheckComponents, &[])).unwrap();
    let mut lengths = [0; 8];
    let output = worker.stdout.as_mut().unwrap();
    output.read_exact(&mut lengths).unwrap();
    let mut json = vec![0; u32::from_le_bytes(lengths[..4].try_into().unwrap()) as usize];
    output.read_exact(&mut json).unwrap();
    let response = serde_json::from_slice(&json).unwrap();
    assert!(
        matches!(response, Response::Ready(confinement) if confinement.system_calls),
        "{kind}: {response:?}"
    );
    worker
}

#[test]
fn workers_have_limited_memory_no_privileges_and_no_environment() {
    // Without its model, the worker for speech is not ready.
    let kinds: &[&str] = if models::folder().is_some() { &["ocr", "speech"] } else { &["ocr"] };
    for kind in kinds {
        let mut worker = worker(kind);
        let proc_file =
            |file: &str| std::fs::read_to_string(format!("/proc/{}/{file}", worker.id())).unwrap();
        let status = proc_file("status");
        for line in ["NoNewPrivs:\t1", "Seccomp:\t2"] {
            assert!(status.contains(line), "{kind}: {line} is not in {status}");
        }
        let limits = proc_file("limits");
        let limit = |name: &str| {
            let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
            line[name.len()..].split_whitespace().next().unwrap().to_owned()
        };
        let memory = MEMORY + if *kind == "speech" { audio::Engine::memory(&setup()) } else { 0 };
        assert_eq!(
            (limit("Max address space"), limit("Max file size")),
            (memory.to_string(), "0".to_owned())
        );
        assert_eq!((limit("Max core file size"), proc_file("environ")), ("0".to_owned(), String::new()));
        assert!(limit("Max cpu time").parse::<u64>().unwrap() < 60);
        worker.kill().unwrap();
        worker.wait().unwrap();
    }
}

#[test]
fn a_worker_ends_with_its_service() {
    let mut worker = worker("ocr");
    drop(worker.stdin.take());
    assert!(worker.wait().unwrap().success());
}
