//! An organisation's own roles.

use guardengine_store::{Changed, Created, Deleted};
use uuid::Uuid;

use crate::world::{at, done, on_both, org_and_user};

#[tokio::test]
async fn a_role_is_made_found_and_listed() {
    on_both(async |db| {
        let (acme, _) = org_and_user(&db).await;
        let role = done(db.create_role(acme.id, " Auditor ", "[\"a\"]", at(0)).await.unwrap());
        assert_eq!(db.create_role(acme.id, "AUDITOR", "[]", at(1)).await.unwrap(), Created::NameTaken);
        assert_eq!(db.role(acme.id, role.id).await.unwrap(), Some(role.clone()));
        assert_eq!(db.role_named(acme.id, "auditor").await.unwrap(), Some(role.clone()));
        assert_eq!(db.role(Uuid::nil(), role.id).await.unwrap(), None);
        assert_eq!(db.roles(acme.id).await.unwrap(), [role]);
    })
    .await;
}

#[tokio::test]
async fn members_keep_a_role_that_is_renamed() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let role = done(db.create_role(acme.id, "Auditor", "[]", at(0)).await.unwrap());
        db.set_role_of_member(acme.id, ann.id, "Auditor").await.unwrap();
        let changed = db.update_role((acme.id, role.id), Some("Reader"), None, at(1)).await.unwrap();
        assert!(
            matches!(changed, Changed::Done(role) if role.permissions == "[]" && role.updated_at == at(1))
        );
        assert_eq!(db.role_of_member(acme.id, ann.id).await.unwrap().as_deref(), Some("Reader"));
        assert_eq!(db.delete_role(acme.id, role.id).await.unwrap(), Deleted::InUse(vec!["ann".into()]));
    })
    .await;
}

#[tokio::test]
async fn a_role_takes_no_name_in_use() {
    on_both(async |db| {
        let (acme, _) = org_and_user(&db).await;
        done(db.create_role(acme.id, "One", "[]", at(0)).await.unwrap());
        let two = done(db.create_role(acme.id, "Two", "[]", at(0)).await.unwrap());
        let key = (acme.id, two.id);
        assert_eq!(db.update_role(key, Some("ONE"), None, at(1)).await.unwrap(), Changed::NameTaken);
        assert!(matches!(db.update_role(key, None, Some("[1]"), at(1)).await.unwrap(), Changed::Done(_)));
        assert_eq!(db.delete_role(acme.id, two.id).await.unwrap(), Deleted::Done);
        assert_eq!(db.delete_role(acme.id, two.id).await.unwrap(), Deleted::Missing);
        assert_eq!(db.update_role(key, None, None, at(1)).await.unwrap(), Changed::Missing);
    })
    .await;
}
