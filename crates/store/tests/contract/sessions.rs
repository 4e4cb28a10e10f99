//! Sessions, except refresh.

use guardengine_store::{Db, NewSession, Session};
use uuid::Uuid;

use crate::fixtures::{at, change, on_both, org_and_user};

async fn started(db: &Db) -> Session {
    let (org, user) = org_and_user(db).await;
    let new = NewSession { user_id: user.id, org_id: org.id, refresh_hash: b"first", expires_at: at(1000) };
    change!(db.start_session(new, at(0))).await.unwrap()
}

#[tokio::test]
async fn a_session_carries_its_user_and_role() {
    on_both(async |db| {
        let session = started(&db).await;
        let seen = db.session(session.id).await.unwrap().unwrap();
        assert_eq!(
            (seen.principal.username.as_str(), seen.principal.role.as_deref()),
            ("ann", Some("viewer"))
        );
        assert_eq!(seen.session, session);
        assert_eq!(db.session(Uuid::nil()).await.unwrap(), None);
        assert_eq!(db.session_of_refresh_token(b"first").await.unwrap(), Some(session));
        assert_eq!(db.session_of_refresh_token(b"none").await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn activity_only_moves_forward() {
    on_both(async |db| {
        let id = started(&db).await.id;
        db.record_session_activity(&[(id, at(9)), (id, at(5)), (Uuid::nil(), at(7))]).await.unwrap();
        assert_eq!(db.session(id).await.unwrap().unwrap().session.last_active_at, at(9));
    })
    .await;
}

#[tokio::test]
async fn a_session_ends_once() {
    on_both(async |db| {
        let session = started(&db).await;
        assert!(change!(db.end_session(session.id, at(3))).await.unwrap());
        assert!(!change!(db.end_session(session.id, at(4))).await.unwrap());
        assert_eq!(db.session(session.id).await.unwrap().unwrap().session.ended_at, Some(at(3)));
        let ended = change!(db.set_password_hash(session.user_id, "new", None, at(5))).await.unwrap();
        assert!(ended.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_new_password_ends_all_sessions_but_one() {
    on_both(async |db| {
        let first = started(&db).await;
        let new = NewSession {
            user_id: first.user_id,
            org_id: first.org_id,
            refresh_hash: b"second",
            expires_at: at(1000),
        };
        let second = change!(db.start_session(new, at(1))).await.unwrap();
        let end =
            async |except| change!(db.set_password_hash(first.user_id, "new", except, at(2))).await.unwrap();
        assert_eq!(end(Some(second.id)).await, [first.id]);
        assert_eq!(end(None).await, [second.id]);
    })
    .await;
}

#[tokio::test]
async fn expired_sessions_are_deleted() {
    on_both(async |db| {
        let id = started(&db).await.id;
        assert_eq!(db.delete_sessions_before(at(1000)).await.unwrap(), 0);
        assert_eq!(db.delete_sessions_before(at(1001)).await.unwrap(), 1);
        assert_eq!(db.session(id).await.unwrap(), None);
    })
    .await;
}
