//! Settings and signing keys.

use crate::fixtures::{at, on_both, org};

#[tokio::test]
async fn a_kept_setting_stays_until_it_is_set() {
    on_both(async |db| {
        assert_eq!(db.setting("check").await.unwrap(), None);
        assert_eq!(db.get_or_insert_setting("check", b"1").await.unwrap(), b"1");
        assert_eq!(db.get_or_insert_setting("check", b"2").await.unwrap(), b"1");
        db.set_setting("check", b"3").await.unwrap();
        assert_eq!(db.setting("check").await.unwrap().unwrap(), b"3");
    })
    .await;
}

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
async fn a_key_that_is_sealed_anew_replaces_the_one_that_was_read_and_no_other() {
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
async fn signing_keys_before_the_one_that_followed_are_forgotten() {
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
