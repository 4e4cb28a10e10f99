//! Policies and their versions.

use guardengine_store::{Changed, Created, Db, Deleted, NewProject, Org, PolicyFields, ProjectChange, User};
use uuid::Uuid;

use crate::fixtures::{at, change, done, on_both, org, org_and_user, policy};

fn text<'a>(name: &'a str, content: &'a str) -> PolicyFields<'a> {
    PolicyFields { name, content, by: "ann", connectors: &[] }
}

#[tokio::test]
async fn a_new_policy_is_version_one() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let made = policy(&db, &acme, " Strict ").await;
        assert_eq!((made.name.as_str(), made.version), ("Strict", 1));
        assert_eq!(db.policy(acme.id, made.id).await.unwrap(), Some(made.clone()));
        assert_eq!(db.policy(Uuid::nil(), made.id).await.unwrap(), None);
        let first = db.policy_version(acme.id, made.id, 1).await.unwrap().unwrap();
        assert_eq!((first.content.as_str(), first.created_by.as_str()), ("{}", "ann"));
    })
    .await;
}

#[tokio::test]
async fn names_are_unique_within_an_organization() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 1).await, org(&db, "Other", 1).await);
        policy(&db, &acme, "Strict").await;
        assert_eq!(
            change!(db.create_policy(acme.id, text("STRICT", "{}"), at(1))).await.unwrap(),
            Created::NameTaken
        );
        policy(&db, &other, "strict").await;
        assert_eq!(db.policies(acme.id).await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn every_change_makes_a_version_and_old_ones_stay_readable() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let read = policy(&db, &acme, "Strict").await;
        let Changed::Done(new) = change!(db.update_policy(&read, text("Mild", "[1]"), at(1))).await.unwrap()
        else {
            panic!("not changed")
        };
        assert_eq!((new.version, new.name.as_str(), new.updated_at), (2, "Mild", at(1)));
        let versions = db.policy_versions(acme.id, read.id, 10, None).await.unwrap();
        let seen: Vec<_> =
            versions.iter().map(|v| (v.version, v.name.as_str(), v.content.as_str())).collect();
        assert_eq!(seen, [(2, "Mild", "[1]"), (1, "Strict", "{}")]);
        let older = db.policy_versions(acme.id, read.id, 1, Some(2)).await.unwrap();
        assert_eq!(older, versions[1..]);
        assert_eq!(db.policy_version(acme.id, read.id, 3).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_change_of_an_older_policy_version_is_stale() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let read = policy(&db, &acme, "Strict").await;
        change!(db.update_policy(&read, text("Strict", "[1]"), at(1))).await.unwrap();
        let late = change!(db.update_policy(&read, text("Strict", "[2]"), at(2))).await.unwrap();
        assert_eq!(late, Changed::Stale);
        assert_eq!(db.policy(acme.id, read.id).await.unwrap().unwrap().content, "[1]");
    })
    .await;
}

#[tokio::test]
async fn a_taken_name_and_a_deleted_policy_are_refused() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let (one, two) = (policy(&db, &acme, "One").await, policy(&db, &acme, "Two").await);
        assert_eq!(
            change!(db.update_policy(&two, text("one", "{}"), at(1))).await.unwrap(),
            Changed::NameTaken
        );
        assert_eq!(change!(db.delete_policy(acme.id, one.id)).await.unwrap(), Deleted::Done);
        assert_eq!(
            change!(db.update_policy(&one, text("one", "{}"), at(1))).await.unwrap(),
            Changed::Missing
        );
        assert_eq!(change!(db.delete_policy(acme.id, one.id)).await.unwrap(), Deleted::Missing);
        assert_eq!(db.policy_versions(acme.id, one.id, 10, None).await.unwrap(), []);
    })
    .await;
}

async fn project_with(db: &Db, org: &Org, user: &User, policies: (Uuid, Option<Uuid>), name: &str) -> Uuid {
    let new = NewProject {
        org_id: org.id,
        name,
        policy_id: policies.0,
        shadow_policy_id: policies.1,
        log_content: "masked",
        on_store_failure: "refuse",
        gateway: None,
        creator: user.id,
    };
    done(change!(db.create_project(new, at(0))).await.unwrap()).id
}

#[tokio::test]
async fn a_policy_in_use_cannot_be_deleted() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let (used, shadow) = (policy(&db, &acme, "Used").await, policy(&db, &acme, "Shadow").await);
        let chat = project_with(&db, &acme, &ann, (used.id, Some(shadow.id)), "Chat").await;
        for id in [used.id, shadow.id] {
            assert_eq!(
                change!(db.delete_policy(acme.id, id)).await.unwrap(),
                Deleted::InUse(vec!["Chat".into()])
            );
        }
        let change = ProjectChange { shadow_policy_id: Some(None), ..ProjectChange::default() };
        change!(db.update_project(acme.id, chat, change, at(1))).await.unwrap();
        assert_eq!(change!(db.delete_policy(acme.id, shadow.id)).await.unwrap(), Deleted::Done);
    })
    .await;
}
