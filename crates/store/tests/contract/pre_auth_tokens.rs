//! Pre-authentication tokens.

use crate::fixtures::{at, on_both, org_and_user};

#[tokio::test]
async fn a_pre_auth_token_is_used_once() {
    on_both(async |db| {
        let (_, ann) = org_and_user(&db).await;
        db.insert_pre_auth_token(b"t", ann.id, at(300), at(0)).await.unwrap();
        assert_eq!(db.user_of_pre_auth_token(b"t", at(1)).await.unwrap(), Some(ann.id));
        assert_eq!(db.consume_pre_auth_token(b"t", at(2)).await.unwrap(), Some(ann.id));
        assert_eq!(db.consume_pre_auth_token(b"t", at(3)).await.unwrap(), None);
        assert_eq!(db.user_of_pre_auth_token(b"t", at(3)).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_pre_auth_token_expires() {
    on_both(async |db| {
        let (_, ann) = org_and_user(&db).await;
        db.insert_pre_auth_token(b"t", ann.id, at(300), at(0)).await.unwrap();
        assert_eq!(db.user_of_pre_auth_token(b"t", at(300)).await.unwrap(), None);
        assert_eq!(db.consume_pre_auth_token(b"t", at(300)).await.unwrap(), None);
        db.insert_pre_auth_token(b"t", ann.id, at(900), at(301)).await.unwrap();
        assert_eq!(db.consume_pre_auth_token(b"t", at(302)).await.unwrap(), Some(ann.id));
    })
    .await;
}
