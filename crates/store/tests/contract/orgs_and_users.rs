//! Organisations, users and who belongs where.

use guardengine_store::{Created, NewSession, NewUser};
use uuid::Uuid;

use crate::world::{at, done, on_both, org, org_and_user, user};

#[tokio::test]
async fn a_new_organisation_has_its_credits_and_a_ledger_that_says_so() {
    on_both(async |db| {
        let made = org(&db, " Acme ", 50).await;
        assert_eq!(made.name, "Acme");
        assert_eq!(db.org(made.id).await.unwrap().unwrap(), made);
        let entries = db.credit_entries(made.id, None, 10).await.unwrap();
        assert_eq!(
            (entries[0].operation.as_str(), entries[0].amount, entries[0].balance_after),
            ("initial", 50, 50)
        );
        assert_eq!(db.org(Uuid::nil()).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn names_of_organisations_are_unique_without_case_and_blanks() {
    on_both(async |db| {
        let made = org(&db, "Straße", 1).await;
        assert_eq!(db.create_org(" STRASSE ", 9, at(1)).await.unwrap(), Created::NameTaken);
        assert_eq!(db.org_named("strasse").await.unwrap().unwrap(), made);
    })
    .await;
}

#[tokio::test]
async fn only_an_empty_database_is_bootstrapped() {
    on_both(async |db| {
        let (org, owner) = db.bootstrap("default", 5, ("admin", "h"), at(0)).await.unwrap().unwrap();
        assert_eq!(db.role_of_member(org.id, owner.id).await.unwrap().as_deref(), Some("owner"));
        assert_eq!(db.bootstrap("other", 5, ("root", "h"), at(1)).await.unwrap(), None);
        assert_eq!(db.user_named("root").await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn usernames_are_unique_over_all_organisations() {
    on_both(async |db| {
        let (_, ann) = org_and_user(&db).await;
        let other = org(&db, "Other", 1).await;
        let again = NewUser { username: "ANN", password_hash: "x", org_id: other.id, role: "owner" };
        assert_eq!(db.create_user(again, at(1)).await.unwrap(), Created::NameTaken);
        assert_eq!(db.members(other.id).await.unwrap(), []);
        assert_eq!(db.user_named(" Ann").await.unwrap().unwrap(), ann);
        assert_eq!(db.user(ann.id).await.unwrap().unwrap(), ann);
    })
    .await;
}

#[tokio::test]
async fn a_name_with_a_nul_finds_nobody_and_breaks_nothing() {
    on_both(async |db| {
        assert_eq!(db.user_named("an\0n").await.unwrap(), None);
        assert_eq!(org(&db, "A\0B", 1).await.name, "A\u{2400}B");
    })
    .await;
}

#[tokio::test]
async fn a_user_sees_their_organisations_by_name() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let zoo = org(&db, "aardvark", 1).await;
        assert!(db.add_member(zoo.id, ann.id, "admin", at(1)).await.unwrap());
        assert!(!db.add_member(zoo.id, ann.id, "owner", at(2)).await.unwrap());
        let seen = db.orgs_of_user(ann.id).await.unwrap();
        let seen: Vec<_> =
            seen.iter().map(|org| (org.org_id, org.name.as_str(), org.role.as_str())).collect();
        assert_eq!(seen, [(zoo.id, "aardvark", "admin"), (acme.id, "Acme", "viewer")]);
    })
    .await;
}

#[tokio::test]
async fn the_first_sealed_data_key_stays() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        assert_eq!(db.sealed_data_key(acme.id).await.unwrap(), None);
        assert_eq!(db.keep_sealed_data_key(acme.id, b"one").await.unwrap().unwrap(), b"one");
        assert_eq!(db.keep_sealed_data_key(acme.id, b"two").await.unwrap().unwrap(), b"one");
        assert_eq!(db.sealed_data_key(acme.id).await.unwrap().unwrap(), b"one");
        assert_eq!(db.keep_sealed_data_key(Uuid::nil(), b"x").await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_changed_role_holds_at_once() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        assert!(db.set_role_of_member(acme.id, ann.id, "admin").await.unwrap());
        assert_eq!(db.role_of_member(acme.id, ann.id).await.unwrap().as_deref(), Some("admin"));
        assert!(!db.set_role_of_member(acme.id, Uuid::nil(), "admin").await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_member_who_leaves_loses_the_sessions_there() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let new = NewSession { user_id: ann.id, org_id: acme.id, refresh_hash: b"r", expires_at: at(100) };
        let session = db.start_session(new, at(0)).await.unwrap();
        assert!(db.remove_member(acme.id, ann.id, at(1)).await.unwrap());
        assert!(!db.remove_member(acme.id, ann.id, at(2)).await.unwrap());
        let seen = db.session(session.id).await.unwrap().unwrap();
        assert_eq!((seen.session.ended_at, seen.role), (Some(at(1)), None));
    })
    .await;
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let mut ids = Vec::new();
        for hash in [b"a", b"b", b"c"] {
            let new =
                NewSession { user_id: ann.id, org_id: acme.id, refresh_hash: hash, expires_at: at(100) };
            ids.push(db.start_session(new, at(0)).await.unwrap().id);
        }
        let mut ended = db.set_password_hash(ann.id, "new", Some(ids[1]), at(1)).await.unwrap();
        ended.sort();
        let mut expected = vec![ids[0], ids[2]];
        expected.sort();
        assert_eq!(ended, expected);
        assert_eq!(db.user(ann.id).await.unwrap().unwrap().password_hash, "new");
    })
    .await;
}

#[tokio::test]
async fn members_are_listed_by_name() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        user(&db, &acme, "zed").await;
        user(&db, &acme, "Bob").await;
        let names: Vec<_> = db.members(acme.id).await.unwrap().into_iter().map(|m| m.username).collect();
        assert_eq!(names, ["Bob", "zed"]);
        let taken = db.create_org("acme", 1, at(0)).await.unwrap();
        assert_eq!(taken, Created::NameTaken);
        done(db.create_org("another", 1, at(0)).await.unwrap());
    })
    .await;
}
