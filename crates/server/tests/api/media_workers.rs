//! What goes wrong in the processes that read pictures costs a request, and nothing else.

use std::{io::Write as _, os::unix::fs::PermissionsExt as _, time::Instant};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::{
    paper::{PLAIN, png},
    service::{Answer, Running},
};

fn body(lines: &[&str]) -> Value {
    json!({ "prompt": "hi", "images": [BASE64_STANDARD.encode(png(&PLAIN.draw(lines)))] })
}

async fn analyzed(service: &Running, token: &str) -> Answer {
    service.post_json(token, "/v2/guardengine/svc_firewall_analyze", &body(&["Opening hours"])).await
}

/// A program that does this instead of reading.
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
async fn a_worker_that_ends_or_babbles_lets_nothing_through() {
    for script in ["exit 1", "kill -9 $$", "cat >/dev/null", "yes", "head -c 8 /dev/zero; sleep 9"] {
        let (_folder, path) = program(script);
        let service = Running::with(&[("media.program", &path), ("media.image_timeout", "1s")]).await;
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
async fn a_worker_that_hangs_is_ended_in_time() {
    let (_folder, path) = program("sleep 60");
    let service = Running::with(&[("media.program", &path), ("media.image_timeout", "1s")]).await;
    let token = service.owner().await;
    let began = Instant::now();
    analyzed(&service, &token).await.refuses(503, "images.0 was not read in time");
    assert!(began.elapsed().as_secs() < 10);
}

#[tokio::test]
async fn what_is_missing_is_named_with_its_package() {
    let service = Running::with(&[("media.languages", "xyz"), ("media.speech_model", "/nonexistent")]).await;
    let token = service.owner().await;
    let missing = "tesseract's model of xyz is not installed: install tesseract-ocr-xyz";
    analyzed(&service, &token).await.refuses(503, &format!("images.0 cannot be read: {missing}"));
    service.app.guard.media_workers().check().await;
    let ready = service.get(&token, "/readyz").await;
    let audio = "PocketSphinx's model is not installed: install pocketsphinx-en-us";
    assert_eq!((ready.status, &ready.body["media"]), (200, &json!({ "images": missing, "audio": audio })));
}

#[tokio::test]
async fn all_that_is_installed_is_ready() {
    let service = Running::start().await;
    service.app.guard.media_workers().check().await;
    let ready = service.get("", "/readyz").await;
    assert_eq!(ready.body["media"], json!({ "images": "ready", "audio": "ready" }));
}

#[tokio::test]
async fn more_pictures_than_may_wait_are_told_to_come_back() {
    let (_folder, path) = program("sleep 60");
    let set = [
        ("media.program", &*path),
        ("media.image_timeout", "2s"),
        ("media.workers", "1"),
        ("media.queue", "1"),
    ];
    let service = Running::with(&set).await;
    let token = service.owner().await;
    let answers = futures::future::join_all((0..4).map(|_| analyzed(&service, &token))).await;
    let busy = "images.0 cannot be read now: too many wait, try again later";
    let refused =
        answers.iter().filter(|answer| answer.status == 503 && answer.text("detail") == busy).count();
    assert_eq!(refused, 2);
}
