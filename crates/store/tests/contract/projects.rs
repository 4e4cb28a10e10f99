//! Projects and their members.

use guardengine_store::{
    Changed, Created, Db, NewGateway, NewProject, Org, Page, Policy, Project, ProjectChange, User,
};
use uuid::Uuid;

use crate::fixtures::{at, change, done, on_both, org_and_user, page, policy, user};

fn new<'a>(org: &Org, policy: &Policy, creator: &User, name: &'a str) -> NewProject<'a> {
    let (org_id, policy_id, creator) = (org.id, policy.id, creator.id);
    NewProject {
        org_id,
        name,
        policy_id,
        shadow_policy_id: None,
        log_content: "masked",
        on_store_failure: "refuse",
        gateway: None,
        creator,
    }
}

async fn made(db: &Db) -> (Org, User, Policy, Project) {
    let (org, user) = org_and_user(db).await;
    let policy = policy(db, &org, "Strict").await;
    let project = done(change!(db.create_project(new(&org, &policy, &user, " Chat "), at(0))).await.unwrap());
    (org, user, policy, project)
}

#[tokio::test]
async fn the_creator_is_the_first_member() {
    on_both(async |db| {
        let (acme, ann, _, chat) = made(&db).await;
        assert_eq!(chat.name, "Chat");
        assert!(db.is_project_member(chat.id, ann.id).await.unwrap());
        assert!(!db.is_project_member(chat.id, Uuid::nil()).await.unwrap());
        assert_eq!(db.project(acme.id, chat.id).await.unwrap(), Some(chat.clone()));
        assert_eq!(db.project(Uuid::nil(), chat.id).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn project_names_are_unique_within_an_organization() {
    on_both(async |db| {
        let (acme, ann, strict, _) = made(&db).await;
        let again = change!(db.create_project(new(&acme, &strict, &ann, "CHAT"), at(1))).await.unwrap();
        assert_eq!(again, Created::NameTaken);
        let other = done(change!(db.create_project(new(&acme, &strict, &ann, "Mail"), at(1))).await.unwrap());
        let change = ProjectChange { name: Some("chat"), ..ProjectChange::default() };
        assert_eq!(
            change!(db.update_project(acme.id, other.id, change, at(2))).await.unwrap(),
            Changed::NameTaken
        );
    })
    .await;
}

#[tokio::test]
async fn a_change_keeps_the_other_fields() {
    on_both(async |db| {
        let (acme, _, strict, chat) = made(&db).await;
        let mild = policy(&db, &acme, "Mild").await;
        let change = ProjectChange { shadow_policy_id: Some(Some(mild.id)), ..ProjectChange::default() };
        change!(db.update_project(acme.id, chat.id, change, at(1))).await.unwrap();
        let change =
            ProjectChange { log_content: Some("none"), name: Some(" Talk "), ..ProjectChange::default() };
        let Changed::Done(now) = change!(db.update_project(acme.id, chat.id, change, at(2))).await.unwrap()
        else {
            panic!("not changed")
        };
        assert_eq!((now.policy_id, now.shadow_policy_id), (strict.id, Some(mild.id)));
        assert_eq!((now.name.as_str(), now.log_content.as_str(), now.updated_at), ("Talk", "none", at(2)));
    })
    .await;
}

#[tokio::test]
async fn a_gateway_is_kept_until_it_is_removed() {
    on_both(async |db| {
        let (acme, ann, strict, chat) = made(&db).await;
        assert_eq!(chat.gateway, None);
        let settings = |settings| NewGateway { settings, connectors: &[] };
        let set = |gateway: Option<Option<&'static str>>| ProjectChange {
            gateway: gateway.map(|gateway| gateway.map(settings)),
            ..ProjectChange::default()
        };
        for (change, expected) in
            [(Some(Some("{}")), Some("{}")), (None, Some("{}")), (Some(None), None), (None, None)]
        {
            change!(db.update_project(acme.id, chat.id, set(change), at(1))).await.unwrap();
            let stored = db.project(acme.id, chat.id).await.unwrap().unwrap();
            assert_eq!(stored.gateway.as_deref(), expected);
        }
        let new = NewProject { gateway: Some(settings("[]")), ..new(&acme, &strict, &ann, "Mail") };
        let mail = done(change!(db.create_project(new, at(1))).await.unwrap());
        assert_eq!(db.project(acme.id, mail.id).await.unwrap().unwrap().gateway.as_deref(), Some("[]"));
    })
    .await;
}

#[tokio::test]
async fn projects_of_other_organizations_are_not_found() {
    on_both(async |db| {
        let (acme, _, _, chat) = made(&db).await;
        let change = ProjectChange::default();
        assert_eq!(
            change!(db.update_project(Uuid::nil(), chat.id, change, at(1))).await.unwrap(),
            Changed::Missing
        );
        assert!(!change!(db.delete_project(Uuid::nil(), chat.id)).await.unwrap());
        assert!(change!(db.delete_project(acme.id, chat.id)).await.unwrap());
        assert!(!change!(db.delete_project(acme.id, chat.id)).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn lists_projects_of_one_member_or_of_all() {
    on_both(async |db| {
        let (acme, ann, strict, chat) = made(&db).await;
        let bob = user(&db, &acme, "bob").await;
        let attic =
            done(change!(db.create_project(new(&acme, &strict, &bob, "attic"), at(1))).await.unwrap());
        let names = |projects: Vec<Project>| projects.into_iter().map(|p| p.name).collect::<Vec<_>>();
        assert_eq!(names(db.projects(acme.id, None).await.unwrap()), ["attic", "Chat"]);
        assert_eq!(names(db.projects(acme.id, Some(ann.id)).await.unwrap()), ["Chat"]);
        assert!(change!(db.add_project_member(attic.id, ann.id)).await.unwrap());
        assert!(!change!(db.add_project_member(attic.id, ann.id)).await.unwrap());
        let mut members: Vec<_> = db
            .project_members(acme.id)
            .await
            .unwrap()
            .into_iter()
            .map(|m| (m.project_id, m.username))
            .collect();
        members.sort();
        let mut expected =
            vec![(chat.id, "ann".into()), (attic.id, "ann".into()), (attic.id, "bob".to_owned())];
        expected.sort();
        assert_eq!(members, expected);
        assert!(change!(db.remove_project_member(attic.id, ann.id)).await.unwrap());
        assert!(!change!(db.remove_project_member(attic.id, ann.id)).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn removing_a_member_removes_project_memberships() {
    on_both(async |db| {
        let (acme, ann, _, chat) = made(&db).await;
        change!(db.remove_member(acme.id, ann.id, at(1))).await.unwrap();
        assert!(!db.is_project_member(chat.id, ann.id).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn members_are_paged_with_their_roles_without_loss() {
    on_both(async |db| {
        let (acme, ann, _, chat) = made(&db).await;
        let bob = user(&db, &acme, "Bob").await;
        change!(db.add_project_member(chat.id, bob.id)).await.unwrap();
        assert_eq!(db.project_member_names(chat.id).await.unwrap(), ["ann", "Bob"]);
        let first = db.members_of_project(acme.id, chat.id, page(1)).await.unwrap();
        assert_eq!((first.rows[0].role.as_str(), first.next), ("viewer", Some(first.rows[0].user_id)));
        let rest = Page { limit: 1, before: first.next };
        let rest = db.members_of_project(acme.id, chat.id, rest).await.unwrap();
        assert_eq!(rest.next, None);
        let (mut seen, mut expected) = ([first.rows[0].user_id, rest.rows[0].user_id], [ann.id, bob.id]);
        seen.sort();
        expected.sort();
        assert_eq!(seen, expected);
        assert_eq!(db.members_of_project(Uuid::nil(), chat.id, page(1)).await.unwrap().rows, []);
    })
    .await;
}
