//! Custom roles of organizations.

use guardengine_store::{Changed, Created, Deleted, NewApiKey, NewSession, Page};
use uuid::Uuid;

use crate::fixtures::{at, change, done, on_both, org_and_user, page};

#[tokio::test]
async fn a_role_is_created_found_and_listed() {
    on_both(async |db| {
        let (acme, _) = org_and_user(&db).await;
        let role = done(change!(db.create_role(acme.id, " Auditor ", "[\"a\"]", at(0))).await.unwrap());
        assert_eq!(
            change!(db.create_role(acme.id, "AUDITOR", "[]", at(1))).await.unwrap(),
            Created::NameTaken
        );
        assert_eq!(db.role(acme.id, role.id).await.unwrap(), Some(role.clone()));
        assert_eq!(db.role_by_name(acme.id, "auditor").await.unwrap(), Some(role.clone()));
        assert_eq!(db.role(Uuid::nil(), role.id).await.unwrap(), None);
        assert_eq!(db.roles(acme.id, page(9)).await.unwrap().rows, std::slice::from_ref(&role));
        let newer = done(change!(db.create_role(acme.id, "Newer", "[]", at(1))).await.unwrap());
        let first = db.roles(acme.id, page(1)).await.unwrap();
        let second = db.roles(acme.id, Page { before: first.next, limit: 1 }).await.unwrap();
        assert_eq!((first.rows, second.rows, second.next), (vec![newer], vec![role], None));
    })
    .await;
}

#[tokio::test]
async fn members_keep_a_renamed_role() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let role = done(change!(db.create_role(acme.id, "Auditor", "[]", at(0))).await.unwrap());
        change!(db.set_role_of_member(acme.id, ann.id, "Auditor")).await.unwrap();
        let changed = change!(db.update_role((acme.id, role.id), Some("Reader"), None, at(1))).await.unwrap();
        assert!(
            matches!(changed, Changed::Done(role) if role.permissions == "[]" && role.updated_at == at(1))
        );
        assert_eq!(db.role_of_member(acme.id, ann.id).await.unwrap().as_deref(), Some("Reader"));
        assert_eq!(
            change!(db.delete_role(acme.id, role.id, at(1))).await.unwrap(),
            Deleted::InUse(vec!["ann".into()])
        );
    })
    .await;
}

#[tokio::test]
async fn role_names_are_unique() {
    on_both(async |db| {
        let (acme, _) = org_and_user(&db).await;
        done(change!(db.create_role(acme.id, "One", "[]", at(0))).await.unwrap());
        let two = done(change!(db.create_role(acme.id, "Two", "[]", at(0))).await.unwrap());
        let key = (acme.id, two.id);
        assert_eq!(change!(db.update_role(key, Some("ONE"), None, at(1))).await.unwrap(), Changed::NameTaken);
        assert!(matches!(
            change!(db.update_role(key, None, Some("[1]"), at(1))).await.unwrap(),
            Changed::Done(_)
        ));
        assert_eq!(change!(db.delete_role(acme.id, two.id, at(1))).await.unwrap(), Deleted::Done);
        assert_eq!(change!(db.delete_role(acme.id, two.id, at(1))).await.unwrap(), Deleted::Missing);
        assert_eq!(change!(db.update_role(key, None, None, at(1))).await.unwrap(), Changed::Missing);
    })
    .await;
}

#[tokio::test]
async fn credentials_carry_the_current_permissions_of_a_custom_role() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let role = done(change!(db.create_role(acme.id, "Auditor", "[1]", at(0))).await.unwrap());
        let new = NewSession { user_id: ann.id, org_id: acme.id, refresh_hash: b"r", expires_at: at(100) };
        let session = change!(db.start_session(new, at(0))).await.unwrap().id;
        let new = NewApiKey {
            org_id: acme.id,
            user_id: ann.id,
            hash: b"k",
            prefix: "p",
            name: "n",
            expires_at: None,
            project_id: None,
            permissions: None,
        };
        change!(db.create_api_key(new, at(0))).await.unwrap();
        let seen = async || {
            let principal = db.session(session).await.unwrap().unwrap().principal;
            assert_eq!(db.api_key_by_hash(b"k").await.unwrap().unwrap().principal, principal);
            principal.role_permissions
        };
        assert_eq!(seen().await, None);
        change!(db.set_role_of_member(acme.id, ann.id, "Auditor")).await.unwrap();
        assert_eq!(seen().await.as_deref(), Some("[1]"));
        change!(db.update_role((acme.id, role.id), Some("Reader"), Some("[2]"), at(1))).await.unwrap();
        assert_eq!(seen().await.as_deref(), Some("[2]"));
    })
    .await;
}
