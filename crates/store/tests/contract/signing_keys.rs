//! Signing keys, and sealed keys that are sealed again.

use crate::fixtures::{at, on_both, org};

#[tokio::test]
async fn the_newest_signing_key_comes_first() {
    on_both(async |db| {
        assert_eq!(db.signing_keys().await.unwrap(), []);
        let old = db.add_signing_key(b"old", at(0)).await.unwrap();
        let new = db.add_signing_key(b"new", at(1)).await.unwrap();
        assert_eq!(db.signing_keys().await.unwrap(), [new, old]);
    })
    .await;
}

#[tokio::test]
async fn a_resealed_key_replaces_only_the_key_that_was_read() {
    on_both(async |db| {
        let key = db.add_signing_key(b"old", at(0)).await.unwrap();
        assert!(!db.replace_signing_key(key.id, b"other", b"new").await.unwrap());
        assert!(db.replace_signing_key(key.id, b"old", b"new").await.unwrap());
        assert_eq!(db.signing_keys().await.unwrap()[0].sealed, b"new");
        let org = org(&db, "Acme", 0).await.id;
        assert_eq!(db.sealed_data_keys().await.unwrap(), []);
        db.get_or_insert_sealed_data_key(org, b"old").await.unwrap();
        assert!(!db.replace_sealed_data_key(org, b"other", b"new").await.unwrap());
        assert!(db.replace_sealed_data_key(org, b"old", b"new").await.unwrap());
        assert_eq!(db.sealed_data_keys().await.unwrap(), [(org, b"new".to_vec())]);
    })
    .await;
}

#[tokio::test]
async fn superseded_signing_keys_are_deleted() {
    on_both(async |db| {
        for second in [0, 10, 20] {
            db.add_signing_key(b"sealed", at(second)).await.unwrap();
        }
        assert_eq!(db.delete_signing_keys_before(at(10)).await.unwrap(), 0);
        assert_eq!(db.delete_signing_keys_before(at(11)).await.unwrap(), 1);
        let left: Vec<_> = db.signing_keys().await.unwrap().into_iter().map(|key| key.created_at).collect();
        assert_eq!(left, [at(20), at(10)]);
        assert_eq!(db.delete_signing_keys_before(at(99)).await.unwrap(), 1);
        assert_eq!(db.signing_keys().await.unwrap().len(), 1);
    })
    .await;
}
