//! The command `copy`.

use serde_json::json;

use crate::support::{
    postgres::postgres,
    process::{ServiceProcess, run},
};

#[tokio::test]
async fn an_installation_moves_to_postgresql_with_its_secrets() {
    let Some(database) = postgres().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    let token = served.token_for("jane.doe@example.com").await;
    let rows = served.get("/api/logs").await["logs"].as_array().unwrap().len();
    let source = format!("sqlite://{}", folder.path().join("guardengine.db").display());
    let copy = ["copy", "--from", &source, "--to", &database];
    let (code, _, stderr) = run(folder.path(), &copy);
    assert!(code == 1 && stderr.contains("is in use: stop guardengine first"), "{stderr}");
    assert_eq!(served.stop(), Some(0));

    let (code, reported, stderr) = run(folder.path(), &copy);
    assert_eq!((code, &reported["counts"]), (0, &json!("same")), "{stderr}");
    assert!(stderr.contains("logs: 1 of 1 rows") && reported["tables"]["logs"] == 1, "{stderr}{reported}");
    let (code, _, stderr) = run(folder.path(), &copy);
    assert!(code == 1 && stderr.contains("the target is not empty"), "{stderr}");

    let moved = ServiceProcess::with(folder.path(), &[("DATABASE_URL", &database)]).await;
    assert_eq!(moved.unmasked(&token).await, "jane.doe@example.com");
    assert_eq!(moved.get("/api/logs").await["logs"].as_array().unwrap().len(), rows);
}
