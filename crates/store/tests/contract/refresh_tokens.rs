//! Refresh tokens: rotation and detection of reuse.

use std::time::Duration;

use guardengine_store::{AuditFilter, Db, NewSession, Refresh, Refreshed, Session, Timestamp};
use uuid::Uuid;

use crate::fixtures::{actor, at, change, on_both, org_and_user};

async fn started(db: &Db) -> Session {
    let (org, user) = org_and_user(db).await;
    let new = NewSession { user_id: user.id, org_id: org.id, refresh_hash: b"first", expires_at: at(10_000) };
    change!(db.start_session(new, at(0))).await.unwrap()
}

fn change<'a>(presented: &'a [u8], next: &'a [u8]) -> Refresh<'a> {
    Refresh {
        presented,
        next,
        expires_at: at(20_000),
        idle_timeout: Duration::from_secs(100),
        reuse_grace: Duration::ZERO,
    }
}

async fn refreshed(db: &Db, presented: &[u8], next: &[u8], now: Timestamp) -> Refreshed {
    db.refresh_session(change(presented, next), |_| actor(), now).await.unwrap()
}

#[tokio::test]
async fn a_refresh_extends_the_session_and_counts_as_activity() {
    on_both(async |db| {
        let id = started(&db).await.id;
        let Refreshed::Rotated(session) = refreshed(&db, b"first", b"second", at(50)).await else {
            panic!("not rotated")
        };
        assert_eq!((session.id, session.last_active_at, session.expires_at), (id, at(50), at(20_000)));
        assert!(matches!(refreshed(&db, b"second", b"third", at(60)).await, Refreshed::Rotated(_)));
    })
    .await;
}

#[tokio::test]
async fn a_used_token_ends_the_whole_session() {
    on_both(async |db| {
        let id = started(&db).await.id;
        refreshed(&db, b"first", b"second", at(1)).await;
        assert_eq!(refreshed(&db, b"first", b"x", at(2)).await, Refreshed::Reused(id));
        assert_eq!(refreshed(&db, b"second", b"y", at(3)).await, Refreshed::Ended);
        assert_eq!(db.session(id).await.unwrap().unwrap().session.ended_at, Some(at(2)));
        let reused = AuditFilter { action: Some("SESSIONS:TOKEN_REUSED".into()), ..AuditFilter::default() };
        let entries = db.audit_entries(Uuid::nil(), &reused, None, 9).await.unwrap();
        let found = [entries[0].target.as_str(), &entries[0].details];
        assert_eq!(entries.len(), 1);
        assert_eq!(found, ["ann", &format!(r#"{{"session_id":"{id}"}}"#)]);
    })
    .await;
}

#[tokio::test]
async fn a_second_use_within_the_grace_leaves_the_session_alone() {
    on_both(async |db| {
        let id = started(&db).await.id;
        refreshed(&db, b"first", b"second", at(1)).await;
        let soft = Refresh { reuse_grace: Duration::from_secs(5), ..change(b"first", b"x") };
        assert_eq!(db.refresh_session(soft, |_| actor(), at(5)).await.unwrap(), Refreshed::ReusedInGrace);
        assert!(matches!(refreshed(&db, b"second", b"third", at(6)).await, Refreshed::Rotated(_)));
        assert_eq!(db.refresh_session(soft, |_| actor(), at(6)).await.unwrap(), Refreshed::Reused(id));
    })
    .await;
}

#[tokio::test]
async fn an_unissued_token_is_unknown() {
    on_both(async |db| {
        started(&db).await;
        assert_eq!(refreshed(&db, b"guess", b"x", at(1)).await, Refreshed::Unknown);
    })
    .await;
}

#[tokio::test]
async fn an_idle_session_cannot_be_refreshed() {
    on_both(async |db| {
        let id = started(&db).await.id;
        assert_eq!(refreshed(&db, b"first", b"x", at(101)).await, Refreshed::Idle);
        db.record_session_activity(&[(id, at(90))]).await.unwrap();
        assert!(matches!(refreshed(&db, b"first", b"x", at(190)).await, Refreshed::Rotated(_)));
    })
    .await;
}

#[tokio::test]
async fn an_expired_session_cannot_be_refreshed() {
    on_both(async |db| {
        let id = started(&db).await.id;
        db.record_session_activity(&[(id, at(9_999))]).await.unwrap();
        assert_eq!(refreshed(&db, b"first", b"x", at(10_000)).await, Refreshed::Expired);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_thirty_two_concurrent_refreshes_succeeds() {
    on_both(async |db| {
        let id = started(&db).await.id;
        let tries: Vec<_> = (0..32_u8)
            .map(|number| {
                let db = db.clone();
                tokio::spawn(async move { refreshed(&db, b"first", &[number], at(1)).await })
            })
            .collect();
        let mut won = 0;
        for result in tries {
            match result.await.unwrap() {
                Refreshed::Rotated(_) => won += 1,
                other => assert_eq!(other, Refreshed::Reused(id)),
            }
        }
        assert_eq!(won, 1);
        assert_eq!(db.session(id).await.unwrap().unwrap().session.ended_at, Some(at(1)));
    })
    .await;
}
