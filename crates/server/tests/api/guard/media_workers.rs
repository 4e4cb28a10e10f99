//! Failures of media workers, which affect one request only.

use std::{io::Write as _, os::unix::fs::PermissionsExt as _, time::Instant};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_test_support::{
    models,
    page::{PLAIN, png},
};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Response, TestService};

fn body(lines: &[&str]) -> Value {
    json!({ "prompt": "hi", "images": [BASE64_STANDARD.encode(png(&PLAIN.draw(lines)))] })
}

async fn analyzed(service: &TestService, token: &str) -> Response {
    service.post_json(token, "/v2/guardengine/svc_firewall_analyze", &body(&["Opening hours"])).await
}

/// Writes a worker that runs this script. Returns its folder and path.
fn program(script: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("worker");
    let mut file = std::fs::File::create(&path).unwrap();
    writeln!(file, "#!/bin/sh\n{script}").unwrap();
    file.set_permissions(std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

#[tokio::test]
async fn a_worker_that_ends_or_sends_garbage_allows_nothing() {
    for script in ["exit 1", "kill -9 $$", "cat >/dev/null", "yes", "head -c 8 /dev/zero; sleep 9"] {
        let (_folder, path) = program(script);
        let service = TestService::with(&[("media.program", &path), ("media.image_timeout", "1s")]).await;
        let token = service.owner().await;
        let answer = analyzed(&service, &token).await;
        assert_eq!(answer.status, 503, "{script}: {}", answer.body);
        assert_eq!(answer.header("retry-after"), "1");
        let text = service
            .post_json(&token, "/v2/guardengine/svc_firewall_analyze", &json!({ "prompt": "hi" }))
            .await;
        assert_eq!(text.status, 200);
        assert_eq!(service.charges(&token).await, 1);
    }
}

#[tokio::test]
async fn a_file_that_exhausts_the_memory_of_its_worker_is_refused() {
    let (_folder, path) = program("head -c 200 >/dev/null; kill -ABRT $$");
    let service = TestService::with(&[("media.program", &path)]).await;
    let token = service.owner().await;
    let expected = "images.0: the file needs more memory than is allowed (media.memory)";
    analyzed(&service, &token).await.refuses(422, expected);
}

#[tokio::test]
async fn a_hanging_worker_is_ended_in_time() {
    let (_folder, path) = program("sleep 60");
    let service = TestService::with(&[("media.program", &path), ("media.image_timeout", "1s")]).await;
    let token = service.owner().await;
    let began = Instant::now();
    analyzed(&service, &token).await.refuses(503, "images.0 was not read in time");
    assert!(began.elapsed().as_secs() < 10);
}

#[tokio::test]
async fn a_missing_engine_is_reported_with_its_package() {
    let set = [("media.ocr", "tesseract"), ("media.languages", "xyz"), ("media.models", "/nonexistent")];
    let service = TestService::with(&set).await;
    let token = service.owner().await;
    let missing = "tesseract's model of xyz is not installed: install tesseract-ocr-xyz";
    assert_snapshot!(analyzed(&service, &token).await.snapshot(), @r#"
    HTTP 503
    retry-after: 1
    {
      "detail": "images.0 cannot be read: tesseract's model of xyz is not installed: install tesseract-ocr-xyz"
    }
    "#);
    service.check_media_workers().await;
    let ready = service.get(&token, "/readyz").await;
    let audio = "media.models has no models of speech: run scripts/fetch-models FOLDER speech";
    let media = json!({ "images": missing, "audio": audio, "sandbox": null });
    assert_eq!((ready.status, &ready.body["media"]), (200, &media));
}

#[tokio::test]
async fn missing_models_are_reported_with_the_command_that_fetches_them() {
    let service = TestService::with(&[("media.ocr", "paddle"), ("media.models", "/nonexistent")]).await;
    let token = service.owner().await;
    let missing = "media.models has no models of ocr: run scripts/fetch-models FOLDER ocr";
    let answer = analyzed(&service, &token).await;
    answer.refuses(503, &format!("images.0 cannot be read: {missing}"));
    service.check_media_workers().await;
    assert_eq!(service.get("", "/readyz").await.body["media"]["images"], missing);
}

#[tokio::test]
async fn models_that_cannot_be_used_are_reported_where_tesseract_is_installed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("ocr")).unwrap();
    std::fs::write(folder.path().join("ocr/PP-OCRv6_det_small.onnx"), "no model").unwrap();
    let service = TestService::with(&[("media.models", folder.path().to_str().unwrap())]).await;
    let token = service.owner().await;
    let answer = analyzed(&service, &token).await;
    let unusable = "media.models: PP-OCRv6_det_small.onnx is not an ONNX model or is cut short";
    answer.refuses(503, &format!("images.0 cannot be read: {unusable}"));
}

#[tokio::test]
async fn installed_engines_are_ready() {
    if models::folder().is_none() {
        return;
    }
    let service = TestService::start().await;
    service.check_media_workers().await;
    let ready = service.get("", "/readyz?verbose").await;
    let media = &ready.body["media"];
    assert_eq!((&media["images"], &media["audio"]), (&json!("ready"), &json!("ready")));
    // The kernel of the tests may have no Landlock, but every one has seccomp.
    let (status, sandbox) = match media["sandbox"].as_str() {
        Some("complete") => ("ok", 1),
        Some("not confined by landlock") => ("warning", 0),
        other => panic!("{other:?}"),
    };
    let checks = ready.body["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["name"] == "media_sandbox").unwrap();
    assert_eq!(check["status"], status);
    let metrics = service.metrics();
    for (mechanism, value) in [("landlock", sandbox), ("seccomp", 1)] {
        let line = format!("guardengine_media_sandbox{{mechanism=\"{mechanism}\"}} {value}\n");
        assert!(metrics.contains(&line), "no {line} in {metrics}");
    }
}

#[tokio::test]
async fn a_worker_reads_the_files_of_one_organization() {
    let starts = tempfile::NamedTempFile::new().unwrap();
    let real = env!("CARGO_BIN_EXE_guardengine");
    let (_folder, path) = program(&format!("echo >>{}; exec {real} \"$@\"", starts.path().display()));
    let service = TestService::with(&[("media.program", &path), ("media.workers", "1")]).await;
    let started = || std::fs::read_to_string(starts.path()).unwrap().lines().count();
    let (one, other) = (service.owner().await, service.stranger().await);
    let mut counts = Vec::new();
    for token in [&one, &one, &other, &other, &one] {
        assert_eq!(analyzed(&service, token).await.status, 200);
        counts.push(started());
    }
    assert_eq!(counts, [1, 1, 2, 2, 3]);
}

#[tokio::test]
async fn images_beyond_the_queue_are_503() {
    let (_folder, path) = program("sleep 60");
    let set = [
        ("media.program", &*path),
        ("media.image_timeout", "2s"),
        ("media.workers", "1"),
        ("media.queue", "1"),
    ];
    let service = TestService::with(&set).await;
    let token = service.owner().await;
    let answers = futures::future::join_all((0..4).map(|_| analyzed(&service, &token))).await;
    let busy = "images.0 cannot be read now: too many wait, try again later";
    let refused =
        answers.iter().filter(|answer| answer.status == 503 && answer.text("detail") == busy).count();
    assert_eq!(refused, 2);
}
