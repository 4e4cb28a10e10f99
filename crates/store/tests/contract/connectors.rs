//! Connectors, and the policies and projects that use them.

use guardengine_store::{
    Changed, CheckResult, Connector, ConnectorFields, Created, Db, Deleted, NewGateway, NewProject, Org,
    PolicyFields, Project, ProjectChange, Timestamp, new_id,
};
use uuid::Uuid;

use crate::fixtures::{at, change, done, on_both, org, policy, user};

fn text(name: &str) -> ConnectorFields<'_> {
    ConnectorFields { name, enabled: true, settings: "{\"a\":1}", secrets: "{\"b\":\"c\"}", check_at: at(0) }
}

fn new(org: &Org, text: ConnectorFields<'_>, now: Timestamp) -> Connector {
    Connector::new(new_id(now), org.id, "jira", text, now)
}

async fn connector(db: &Db, org: &Org, name: &str) -> Connector {
    done(change!(db.create_connector(new(org, text(name), at(0)))).await.unwrap())
}

#[tokio::test]
async fn a_connector_is_created_found_and_listed_in_its_organization() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 1).await, org(&db, "Other", 1).await);
        let made = connector(&db, &acme, " Desk ").await;
        assert_eq!((made.name.as_str(), made.version, made.status.as_str()), ("Desk", 1, "active"));
        assert_eq!(db.connector(acme.id, made.id).await.unwrap().as_ref(), Some(&made));
        assert_eq!(db.connector(other.id, made.id).await.unwrap(), None);
        assert_eq!(
            change!(db.create_connector(new(&acme, text("DESK"), at(1)))).await.unwrap(),
            Created::NameTaken
        );
        connector(&db, &other, "desk").await;
        let first = connector(&db, &acme, "Alarm").await;
        assert_eq!(db.connectors(acme.id).await.unwrap(), [first, made]);
    })
    .await;
}

#[tokio::test]
async fn a_change_of_an_older_version_is_stale() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let (read, other) = (connector(&db, &acme, "One").await, connector(&db, &acme, "Two").await);
        let off = ConnectorFields { enabled: false, settings: "{}", check_at: at(5), ..text("Uno") };
        let Changed::Done(now) = change!(db.update_connector(&read, off, at(5))).await.unwrap() else {
            panic!("no change")
        };
        assert_eq!(
            (now.name.as_str(), now.version, now.enabled, now.settings.as_str()),
            ("Uno", 2, false, "{}")
        );
        assert_eq!((now.updated_at, now.next_check_at, now.created_at), (at(5), at(5), at(0)));
        assert_eq!(change!(db.update_connector(&read, text("One"), at(6))).await.unwrap(), Changed::Stale);
        assert_eq!(
            change!(db.update_connector(&other, text("UNO"), at(6))).await.unwrap(),
            Changed::NameTaken
        );
        assert_eq!(change!(db.delete_connector(acme.id, read.id)).await.unwrap(), Deleted::Done);
        assert_eq!(change!(db.update_connector(&now, text("One"), at(6))).await.unwrap(), Changed::Missing);
        assert_eq!(change!(db.delete_connector(acme.id, read.id)).await.unwrap(), Deleted::Missing);
    })
    .await;
}

#[tokio::test]
async fn due_connectors_are_claimed_once_longest_overdue_first() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        for (name, enabled, from) in [("b", true, 2), ("a", true, 1), ("off", false, 0), ("later", true, 9)] {
            let row = new(&acme, ConnectorFields { enabled, check_at: at(from), ..text(name) }, at(from));
            done(change!(db.create_connector(row)).await.unwrap());
        }
        let names = |due: Vec<Connector>| due.into_iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!(names(db.claim_due_connectors(at(3), at(60), 1).await.unwrap()), ["a"]);
        assert_eq!(names(db.claim_due_connectors(at(3), at(60), 9).await.unwrap()), ["b"]);
        assert!(db.claim_due_connectors(at(3), at(60), 9).await.unwrap().is_empty());
        assert_eq!(db.claim_due_connectors(at(60), at(90), 9).await.unwrap().len(), 3);
    })
    .await;
}

#[tokio::test]
async fn a_check_result_applies_to_the_checked_version() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let asked = connector(&db, &acme, "One").await;
        let bad = CheckResult { error: Some("it answered 401"), at: at(1), next: at(31), event: None };
        for failures in 1..=2 {
            let now = db.record_check(&asked, bad).await.unwrap().unwrap();
            assert_eq!((now.status.as_str(), now.failures), ("error", failures));
            assert_eq!(now.last_error.as_deref(), Some("it answered 401"));
            assert_eq!((now.last_checked_at, now.next_check_at), (Some(at(1)), at(31)));
        }
        let good = CheckResult { error: None, at: at(2), next: at(302), event: None };
        let now = db.record_check(&asked, good).await.unwrap().unwrap();
        assert_eq!((now.status.as_str(), now.failures, now.last_error), ("active", 0, None));
        change!(db.update_connector(&asked, text("One"), at(3))).await.unwrap();
        assert_eq!(db.record_check(&asked, bad).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn an_older_check_that_ends_later_changes_nothing() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let asked = connector(&db, &acme, "One").await;
        let bad = CheckResult { error: Some("it answered 401"), at: at(2), next: at(31), event: None };
        let failed = db.record_check(&asked, bad).await.unwrap().unwrap();
        assert_eq!((failed.status.as_str(), failed.last_checked_at), ("error", Some(at(2))));
        let older = CheckResult { error: None, at: at(1), next: at(302), event: None };
        assert_eq!(db.record_check(&asked, older).await.unwrap(), Some(failed));
        let newer = CheckResult { error: None, at: at(3), next: at(302), event: None };
        assert_eq!(db.record_check(&asked, newer).await.unwrap().unwrap().status, "active");
    })
    .await;
}

#[tokio::test]
async fn a_connector_that_a_policy_uses_cannot_be_deleted() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let (desk, read) = (connector(&db, &acme, "Desk").await, policy(&db, &acme, "Strict").await);
        let names =
            PolicyFields { name: "Strict", content: "{}", by: "ann", connectors: &[desk.id, desk.id] };
        let Changed::Done(read) = change!(db.update_policy(&read, names, at(1))).await.unwrap() else {
            panic!("no change")
        };
        let in_use = Deleted::InUse(vec!["Strict".into()]);
        assert_eq!(change!(db.delete_connector(acme.id, desk.id)).await.unwrap(), in_use);
        let without = PolicyFields { connectors: &[], ..names };
        change!(db.update_policy(&read, without, at(2))).await.unwrap();
        assert_eq!(change!(db.delete_connector(acme.id, desk.id)).await.unwrap(), Deleted::Done);
    })
    .await;
}

#[tokio::test]
async fn a_policy_uses_only_connectors_of_its_organization() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 1).await, org(&db, "Other", 1).await);
        let theirs = connector(&db, &other, "Desk").await;
        for id in [theirs.id, Uuid::max()] {
            let text = PolicyFields { name: "Strict", content: "{}", by: "ann", connectors: &[id] };
            assert!(
                change!(db.create_policy(acme.id, text, at(0))).await.unwrap_err().is_missing_reference()
            );
        }
        assert!(db.policies(acme.id).await.unwrap().is_empty(), "the policy was not created");
        let named = connector(&db, &acme, "Mine").await;
        let text = PolicyFields { name: "Strict", content: "{}", by: "ann", connectors: &[named.id] };
        let made = done(change!(db.create_policy(acme.id, text, at(0))).await.unwrap());
        assert_eq!(change!(db.delete_policy(acme.id, made.id)).await.unwrap(), Deleted::Done);
        assert_eq!(change!(db.delete_connector(acme.id, named.id)).await.unwrap(), Deleted::Done);
    })
    .await;
}

fn gateway(connectors: &[Uuid]) -> NewGateway<'_> {
    NewGateway { settings: "{}", connectors }
}

async fn project(db: &Db, org: &Org, connectors: &[Uuid]) -> Project {
    let (policy, creator) = (policy(db, org, "Strict").await, user(db, org, "ann").await);
    let new = NewProject {
        org_id: org.id,
        name: "Chat",
        policy_id: policy.id,
        shadow_policy_id: None,
        log_content: "masked",
        on_store_failure: "refuse",
        gateway: Some(gateway(connectors)),
        creator: creator.id,
    };
    done(change!(db.create_project(new, at(0))).await.unwrap())
}

#[tokio::test]
async fn a_connector_that_a_gateway_names_cannot_be_deleted() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let (first, spare) = (connector(&db, &acme, "First").await, connector(&db, &acme, "Spare").await);
        let chat = project(&db, &acme, &[first.id, spare.id, first.id]).await;
        let alone = [first.id];
        let set = async |gateway| {
            let fields = ProjectChange { gateway, ..ProjectChange::default() };
            change!(db.update_project(acme.id, chat.id, fields, at(1))).await.unwrap();
        };
        for id in [first.id, spare.id] {
            assert_eq!(change!(db.delete_connector(acme.id, id)).await.unwrap(), Deleted::InUse(vec![]));
            assert_eq!(db.projects_of_connector(acme.id, id).await.unwrap(), ["Chat"]);
            assert!(db.projects_of_connector(Uuid::nil(), id).await.unwrap().is_empty());
        }
        set(Some(Some(gateway(&alone)))).await;
        assert_eq!(change!(db.delete_connector(acme.id, spare.id)).await.unwrap(), Deleted::Done);
        // Other changes keep the gateway.
        set(None).await;
        assert_eq!(db.projects_of_connector(acme.id, first.id).await.unwrap(), ["Chat"]);
        set(Some(None)).await;
        assert_eq!(change!(db.delete_connector(acme.id, first.id)).await.unwrap(), Deleted::Done);
    })
    .await;
}

#[tokio::test]
async fn a_deleted_project_frees_the_connectors_of_its_gateway() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let first = connector(&db, &acme, "First").await;
        let chat = project(&db, &acme, &[first.id]).await;
        assert!(change!(db.delete_project(acme.id, chat.id)).await.unwrap());
        assert_eq!(change!(db.delete_connector(acme.id, first.id)).await.unwrap(), Deleted::Done);
    })
    .await;
}

#[tokio::test]
async fn a_gateway_names_only_connectors_of_its_organization() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 1).await, org(&db, "Other", 1).await);
        let theirs = connector(&db, &other, "First").await;
        let chat = project(&db, &acme, &[]).await;
        for id in [theirs.id, Uuid::max()] {
            let named = [id];
            let fields = ProjectChange { gateway: Some(Some(gateway(&named))), ..ProjectChange::default() };
            let refused = change!(db.update_project(acme.id, chat.id, fields, at(1))).await;
            assert!(refused.unwrap_err().is_missing_reference());
        }
    })
    .await;
}
