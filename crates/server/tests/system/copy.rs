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
    let (code, _, said) = run(folder.path(), &copy);
    assert!(code == 1 && said.contains("is in use: stop guardengine first"), "{said}");
    assert_eq!(served.stop(), Some(0));

    let (code, reported, said) = run(folder.path(), &copy);
    assert_eq!((code, &reported["counts"]), (0, &json!("same")), "{said}");
    assert!(said.contains("logs: 1 of 1 rows") && reported["tables"]["logs"] == 1, "{said}{reported}");
    let (code, _, said) = run(folder.path(), &copy);
    assert!(code == 1 && said.contains("the target is not empty"), "{said}");

    let moved = ServiceProcess::with(folder.path(), &[("DATABASE_URL", &database)]).await;
    assert_eq!(moved.unmasked(&token).await, "jane.doe@example.com");
    assert_eq!(moved.get("/api/logs").await["logs"].as_array().unwrap().len(), rows);
}
