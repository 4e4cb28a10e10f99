//! Opening databases.

use std::os::unix::fs::PermissionsExt;

use guardengine_store::Db;

use crate::fixtures::{at, change, on_both, open, own_schema};

#[tokio::test]
async fn an_open_database_answers() {
    on_both(async |db| db.ping().await.unwrap()).await;
}

#[tokio::test]
async fn only_the_owner_may_read_the_database_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("private.db");
    let db = open(&format!("sqlite://{}", path.display())).await;
    change!(db.create_org("Acme", 1, at(0))).await.unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", file.file_name());
    }
}

async fn open_many(url: &str) {
    let openings = (0..8).map(|_| {
        let url = url.to_owned();
        tokio::spawn(async move { Db::open(&url).await.unwrap().ping().await.unwrap() })
    });
    for opening in openings.collect::<Vec<_>>() {
        opening.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_database_can_be_opened_many_times_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for one in 0..20 {
        open_many(&format!("sqlite://{}", folder.path().join(format!("many-{one}.db")).display())).await;
    }
    if let Ok(url) = std::env::var("GUARDENGINE_TEST_POSTGRES") {
        open_many(&own_schema(&url).await).await;
    }
}

#[tokio::test]
async fn rows_survive_closing() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("again.db").display());
    let db = open(&url).await;
    change!(db.create_org("Acme", 7, at(0))).await.unwrap();
    db.close().await;
    let again = open(&url).await;
    assert_eq!(again.org_by_name("acme").await.unwrap().unwrap().credits, 7);
}

#[tokio::test]
async fn a_missing_folder_is_an_error() {
    assert!(Db::open("sqlite:///nowhere/at/all.db").await.is_err());
}
