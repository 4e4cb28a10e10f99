//! Saved views of the log: own and shared ones, bounded per user.

use guardengine_store::{LogView, Org, User, new_id};

use crate::fixtures::{at, change, on_both, org, user};

fn view(org: &Org, user: &User, second: i64, shared: bool) -> LogView {
    LogView {
        id: new_id(at(second)),
        org_id: org.id,
        user_id: user.id,
        created_at: at(second),
        updated_at: at(second),
        name: format!("View {second}"),
        shared,
        content: "{}".to_owned(),
    }
}

#[tokio::test]
async fn users_see_their_own_views_and_shared_ones() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 1).await, org(&db, "Other", 1).await);
        let (ann, bob) = (user(&db, &acme, "ann").await, user(&db, &acme, "bob").await);
        let (own, shared) = (view(&acme, &ann, 1, false), view(&acme, &ann, 2, true));
        for one in [&own, &shared] {
            assert!(change!(db.create_log_view(one, 2)).await.unwrap());
        }
        assert!(!change!(db.create_log_view(&view(&acme, &ann, 3, false), 2)).await.unwrap());
        assert_eq!(db.log_views(acme.id, ann.id, 9).await.unwrap(), [shared.clone(), own.clone()]);
        assert_eq!(db.log_views(acme.id, bob.id, 9).await.unwrap(), std::slice::from_ref(&shared));
        assert_eq!(db.log_views(other.id, ann.id, 9).await.unwrap(), []);
        assert_eq!(db.log_view(acme.id, bob.id, own.id).await.unwrap(), None);
        assert_eq!(db.log_view(acme.id, bob.id, shared.id).await.unwrap(), Some(shared.clone()));

        let hidden = LogView { shared: false, name: "Mine".into(), updated_at: at(5), ..shared.clone() };
        assert!(change!(db.update_log_view(&hidden)).await.unwrap());
        assert_eq!(db.log_views(acme.id, bob.id, 9).await.unwrap(), []);
        assert_eq!(db.log_view(acme.id, ann.id, hidden.id).await.unwrap(), Some(hidden));
        assert!(!change!(db.delete_log_view(other.id, own.id)).await.unwrap());
        assert!(change!(db.delete_log_view(acme.id, own.id)).await.unwrap());
        assert!(!change!(db.delete_log_view(acme.id, own.id)).await.unwrap());
    })
    .await;
}
