//! `doctor`, `config check` and starts, on data that lacks something.

use std::{fs, path::Path};

use serde_json::Value;
use sqlx::{Connection as _, SqliteConnection};

use crate::support::process::{ServiceProcess, guardengine, run};

/// Returns the status of a check of `doctor`, and what it says.
fn checked(folder: &Path, more: &[&str], name: &str) -> (String, String) {
    let (_, printed, error) = run(folder, &[&["doctor", "--json"], more].concat());
    let checks = printed["checks"].as_array().unwrap_or_else(|| panic!("no checks: {printed} {error}"));
    let check = checks.iter().find(|check| check["name"] == name);
    let check = check.unwrap_or_else(|| panic!("no check {name}: {printed}"));
    (check["status"].as_str().unwrap().to_owned(), check["detail"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_checks_the_data_and_the_running_service() {
    let folder = tempfile::tempdir().unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    let listen = ["--listen", served.address()];
    for name in ["store", "schema", "writes", "keys", "log_sink"] {
        assert_eq!(checked(folder.path(), &listen, name).0, "ok", "{name}");
    }
    let (_, running) = checked(folder.path(), &listen, "service");
    assert!(running.starts_with("running at 127.0.0.1:"), "{running}");
    let path = folder.path().join("guardengine.db");
    let mut other = SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    let lock = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let (status, detail) = checked(folder.path(), &listen, "writes");
    assert_eq!(status, "failed", "{detail}");
    drop(lock);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_master_key_over_data_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    served.token_for("jane@example.com").await;
    assert_eq!(served.stop(), Some(0));
    let (key, aside) = (folder.path().join("master.key"), folder.path().join("aside"));
    fs::rename(&key, &aside).unwrap();
    let missing = "master.key is missing, and the database is sealed under it";
    for arguments in [&["serve"][..], &["config", "check"], &["rotate-master-key"]] {
        let (code, _, error) = run(folder.path(), arguments);
        assert!(code == 1 && error.contains(missing), "{arguments:?}: {code} {error}");
        assert!(!key.exists(), "{arguments:?}");
    }
    assert_eq!(checked(folder.path(), &[], "keys").0, "failed");
    fs::rename(&aside, &key).unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    assert_eq!(served.get("/api/policy/list").await["total"], Value::from(0));
}

#[test]
fn config_check_refuses_a_first_password_that_a_start_refuses() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("password"), "weak\n").unwrap();
    for command in ["check", "serve"] {
        let arguments: &[&str] = if command == "check" { &["config", "check"] } else { &["serve"] };
        let mut command = guardengine(&folder.path().join("data"), arguments);
        command.env_remove("GUARDENGINE_ADMIN__PASSWORD");
        command.env("GUARDENGINE_ADMIN__PASSWORD_FILE", folder.path().join("password"));
        let output = command.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(1) && error.contains("admin.password "),
            "{arguments:?}: {error}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_lists_what_an_upgrade_renamed() {
    let folder = tempfile::tempdir().unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    for name in ["Zoe\u{301}", "later"] {
        let new = serde_json::json!({ "name": name, "permissions": [] });
        served.answer("/api/roles", &new).await;
    }
    assert_eq!(served.stop(), Some(0));
    assert_eq!(checked(folder.path(), &[], "names").0, "ok");
    let path = folder.path().join("guardengine.db");
    let mut database = SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    for statement in [
        "UPDATE roles SET name = 'Zoe' || CHAR(769), name_key = 'zoe' || CHAR(769) WHERE name <> 'later'",
        "UPDATE roles SET name = 'Zo' || CHAR(233), name_key = 'zo' || CHAR(233) WHERE name = 'later'",
    ] {
        sqlx::query(statement).execute(&mut database).await.unwrap();
    }
    database.close().await.unwrap();
    // A start gives the later one another name.
    assert_eq!(ServiceProcess::start(folder.path()).await.stop(), Some(0));
    let (status, detail) = checked(folder.path(), &[], "names");
    assert_eq!(status, "warning");
    assert!(detail.contains("role \"Zo\u{e9}\" is now \"Zo\u{e9}-2\""), "{detail}");
}
