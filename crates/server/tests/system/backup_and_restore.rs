//! The commands `backup`, `restore` and `rotate-master-key`.

use std::{fs, os::unix::fs::PermissionsExt as _};

use guardengine_test_support::fake_server::FakeServer;
use serde_json::json;
use uuid::Uuid;

use crate::support::process::{ServiceProcess, run};

const ADDRESS: &str = "jane.doe@example.com";
const LATER: &str = "john.roe@example.com";

#[tokio::test]
async fn a_backup_of_a_running_service_restores_its_data() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy.db");
    let file = file.to_str().unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    let kept = served.token_for(ADDRESS).await;

    let (code, reported, stderr) = run(folder.path(), &["backup", file]);
    assert_eq!((code, &reported["master_key_in_backup"]), (0, &false.into()), "{stderr}");
    assert!(stderr.contains("the backup does not contain the master key"), "{stderr}");
    let (code, _, stderr) = run(folder.path(), &["backup", file]);
    assert!(code == 1 && stderr.contains("File exists"), "{stderr}");
    let lost = served.token_for(LATER).await;
    assert_eq!(served.unmasked(&lost).await, LATER);

    let (code, _, stderr) = run(folder.path(), &["restore", file, "--force"]);
    assert!(code == 1 && stderr.contains("is in use: stop guardengine first"), "{stderr}");
    assert_eq!(served.stop(), Some(0));
    let (code, _, stderr) = run(folder.path(), &["restore", file]);
    assert!(code == 1 && stderr.contains("--force sets it aside"), "{stderr}");
    let (code, reported, stderr) = run(folder.path(), &["restore", file, "--force"]);
    assert_eq!((code, &reported["master_key"]), (0, &"fits".into()), "{stderr}");
    assert!(fs::exists(reported["set_aside"].as_str().unwrap()).unwrap());

    let served = ServiceProcess::start(folder.path()).await;
    assert_eq!(served.unmasked(&kept).await, ADDRESS);
    assert_eq!(served.unmasked(&lost).await, lost);
}

#[tokio::test]
async fn a_restore_reports_whether_the_master_key_fits() {
    let folder = tempfile::tempdir().unwrap();
    let (home, file) = (folder.path().join("home"), folder.path().join("copy.db"));
    drop(ServiceProcess::start(&home).await);
    assert_eq!(run(&home, &["backup", file.to_str().unwrap()]).0, 0);
    let elsewhere = folder.path().join("elsewhere");
    let (code, reported, _) = run(&elsewhere, &["restore", file.to_str().unwrap()]);
    assert_eq!((code, &reported["master_key"]), (0, &"missing".into()));
    assert!(!fs::exists(elsewhere.join("master.key")).unwrap());
    let key = elsewhere.join("master.key");
    fs::write(&key, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n").unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let (_, reported, _) = run(&elsewhere, &["restore", file.to_str().unwrap(), "--force"]);
    assert_eq!(reported["master_key"], "does not fit");
    fs::copy(home.join("master.key"), key).unwrap();
    drop(ServiceProcess::start(&elsewhere).await);
}

#[test]
fn a_file_that_is_no_backup_is_not_restored() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    fs::write(&file, "not a database").unwrap();
    let (code, _, stderr) = run(folder.path(), &["restore", file.to_str().unwrap()]);
    assert!(code == 1 && stderr.contains("cannot be restored: it is not a database"), "{stderr}");
    let (code, _, stderr) = run(folder.path(), &["restore", "/nowhere"]);
    assert!(code == 1 && stderr.contains("cannot be opened"), "{stderr}");
}

#[tokio::test]
async fn the_master_key_is_rotated_under_a_running_service() {
    let folder = tempfile::tempdir().unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    let token = served.token_for(ADDRESS).await;
    let key = fs::read(folder.path().join("master.key")).unwrap();
    let (code, reported, stderr) = run(folder.path(), &["rotate-master-key"]);
    assert_eq!(
        (code, &reported["data_keys"], &reported["signing_keys"]),
        (0, &1.into(), &1.into()),
        "{stderr}"
    );
    assert_ne!(fs::read(folder.path().join("master.key")).unwrap(), key);
    assert_eq!(reported["audit_keys"], 1, "{reported}");
    assert_eq!(served.unmasked(&token).await, ADDRESS);
    drop(served);
    let served = ServiceProcess::start(folder.path()).await;
    assert_eq!(served.unmasked(&token).await, ADDRESS);
    let (code, reported, _) = run(folder.path(), &["audit", "verify", "--org", &Uuid::nil().to_string()]);
    assert_eq!(
        (code, &reported["sound"], &reported["keyed_from"]),
        (0, &true.into(), &1.into()),
        "{reported}"
    );
}

/// Starts a GitLab that accepts the token `s3cret`.
async fn gitlab() -> FakeServer {
    FakeServer::start(|request| {
        let is_known = request.path == "/api/v4/user" && request.header("private-token") == "s3cret";
        (if is_known { 200 } else { 401 }, json!({}))
    })
    .await
}

#[tokio::test]
async fn secrets_of_connectors_outlive_a_rotation_and_a_restore() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy.db");
    let file = file.to_str().unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    let gitlab = json!({ "name": "lab", "base_url": gitlab().await.url, "token": "s3cret" });
    let made = served.answer("/api/connectors/gitlab", &gitlab).await;
    let test = format!("/api/connectors/{}/test", made["id"].as_str().unwrap());
    assert_eq!(served.answer(&test, &json!({})).await["ok"], true);

    assert_eq!(run(folder.path(), &["rotate-master-key"]).0, 0);
    assert_eq!(served.answer(&test, &json!({})).await["ok"], true);
    assert_eq!(run(folder.path(), &["backup", file]).0, 0);
    assert_eq!(served.stop(), Some(0));
    assert_eq!(run(folder.path(), &["restore", file, "--force"]).0, 0);
    let served = ServiceProcess::start(folder.path()).await;
    assert_eq!(served.answer(&test, &json!({})).await["ok"], true);
}
