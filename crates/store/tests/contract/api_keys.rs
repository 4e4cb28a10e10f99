//! API keys.

use guardengine_store::{ApiKey, ApiKeyUse, Db, NewApiKey, Org, User};
use uuid::Uuid;

use crate::fixtures::{at, change, on_both, org_and_user, user};

async fn key(db: &Db, org: &Org, user: &User, hash: &[u8]) -> ApiKey {
    let new = NewApiKey {
        org_id: org.id,
        user_id: user.id,
        hash,
        prefix: "ge_1234567",
        name: "ci",
        project_id: None,
        permissions: None,
        expires_at: Some(at(99)),
    };
    change!(db.create_api_key(new, at(0))).await.unwrap()
}

#[tokio::test]
async fn a_key_is_found_by_its_hash_with_its_user() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let made = key(&db, &acme, &ann, b"h").await;
        let found = db.api_key_by_hash(b"h").await.unwrap().unwrap();
        assert_eq!(
            (found.principal.username.as_str(), found.principal.role.as_deref()),
            ("ann", Some("viewer"))
        );
        assert_eq!(found.key, made);
        assert_eq!(db.api_key_by_hash(b"other").await.unwrap(), None);
        assert_eq!(db.api_key(acme.id, made.id).await.unwrap(), Some(made.clone()));
        assert_eq!(db.api_key(Uuid::nil(), made.id).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_key_ends_with_the_membership() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        key(&db, &acme, &ann, b"h").await;
        change!(db.remove_member(acme.id, ann.id, at(1))).await.unwrap();
        assert_eq!(db.api_key_by_hash(b"h").await.unwrap().unwrap().principal.role, None);
    })
    .await;
}

#[tokio::test]
async fn revoking_twice_is_allowed() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let made = key(&db, &acme, &ann, b"h").await;
        assert!(made.is_active);
        assert!(!change!(db.revoke_api_key(Uuid::nil(), made.id)).await.unwrap());
        assert!(change!(db.revoke_api_key(acme.id, made.id)).await.unwrap());
        assert!(change!(db.revoke_api_key(acme.id, made.id)).await.unwrap());
        assert!(!db.api_key(acme.id, made.id).await.unwrap().unwrap().is_active);
        let named = vec![(made.id, "ci".to_owned(), "ann".to_owned())];
        assert_eq!(db.api_key_names(acme.id, &[made.id, Uuid::nil()]).await.unwrap(), named);
        assert_eq!(db.api_key_names(Uuid::nil(), &[made.id]).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn lists_keys_of_one_user_or_of_all() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let bob = user(&db, &acme, "bob").await;
        key(&db, &acme, &ann, b"1").await;
        let of_bob = key(&db, &acme, &bob, b"2").await;
        assert_eq!(db.api_keys(acme.id, None).await.unwrap().len(), 2);
        assert_eq!(db.api_keys(acme.id, Some(bob.id)).await.unwrap(), [of_bob]);
    })
    .await;
}

#[tokio::test]
async fn uses_add_up_and_the_latest_time_stays() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let key_id = key(&db, &acme, &ann, b"h").await.id;
        let used = |count, second| ApiKeyUse { key_id, count, last_used_at: at(second) };
        db.add_api_key_uses(&[used(3, 9), used(4, 5)]).await.unwrap();
        let seen = db.api_key(acme.id, key_id).await.unwrap().unwrap();
        assert_eq!((seen.usage_count, seen.last_used_at), (7, Some(at(9))));
    })
    .await;
}
