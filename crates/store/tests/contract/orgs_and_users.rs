//! Organizations, users and memberships.

use guardengine_store::{Created, MemberChanged, NewApiKey, NewSession, NewUser, Page};
use uuid::Uuid;

use crate::fixtures::{at, change, done, on_both, org, org_and_user, page, user};

#[tokio::test]
async fn a_new_organization_has_credits_and_an_initial_ledger_entry() {
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
async fn organization_names_are_unique_ignoring_case_and_outer_blanks() {
    on_both(async |db| {
        let made = org(&db, "Straße", 1).await;
        assert_eq!(change!(db.create_org(" STRASSE ", 9, at(1))).await.unwrap(), Created::NameTaken);
        assert_eq!(db.org_by_name("strasse").await.unwrap().unwrap(), made);
    })
    .await;
}

#[tokio::test]
async fn only_an_empty_database_is_bootstrapped() {
    on_both(async |db| {
        let (org, owner) = db.bootstrap("default", 5, ("admin", "h"), at(0)).await.unwrap().unwrap();
        assert_eq!(db.role_of_member(org.id, owner.id).await.unwrap().as_deref(), Some("owner"));
        assert_eq!(db.bootstrap("other", 5, ("root", "h"), at(1)).await.unwrap(), None);
        assert_eq!(db.user_by_name("root").await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn usernames_are_unique_across_organizations() {
    on_both(async |db| {
        let (_, ann) = org_and_user(&db).await;
        let other = org(&db, "Other", 1).await;
        let again = NewUser { username: "ANN", password_hash: "x", org_id: other.id, role: "owner" };
        assert_eq!(change!(db.create_user(again, at(1))).await.unwrap(), Created::NameTaken);
        assert_eq!(db.members(other.id, page(9)).await.unwrap().rows, []);
        assert_eq!(db.user_by_name(" Ann").await.unwrap().unwrap(), ann);
        assert_eq!(db.user(ann.id).await.unwrap().unwrap(), ann);
    })
    .await;
}

#[tokio::test]
async fn a_name_with_a_nul_finds_no_user() {
    on_both(async |db| {
        assert_eq!(db.user_by_name("an\0n").await.unwrap(), None);
        assert_eq!(org(&db, "A\0B", 1).await.name, "A\u{2400}B");
    })
    .await;
}

#[tokio::test]
async fn lists_the_organizations_of_a_user_by_name() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let zoo = org(&db, "aardvark", 1).await;
        assert!(change!(db.add_member(zoo.id, ann.id, "admin", at(1))).await.unwrap());
        assert!(!change!(db.add_member(zoo.id, ann.id, "owner", at(2))).await.unwrap());
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
        assert_eq!(db.get_or_insert_sealed_data_key(acme.id, b"one").await.unwrap().unwrap(), b"one");
        assert_eq!(db.get_or_insert_sealed_data_key(acme.id, b"two").await.unwrap().unwrap(), b"one");
        assert_eq!(db.sealed_data_key(acme.id).await.unwrap().unwrap(), b"one");
        assert_eq!(db.get_or_insert_sealed_data_key(Uuid::nil(), b"x").await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_changed_role_applies_to_the_next_request() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        assert_eq!(
            change!(db.set_role_of_member(acme.id, ann.id, "admin")).await.unwrap(),
            MemberChanged::Done
        );
        assert_eq!(db.role_of_member(acme.id, ann.id).await.unwrap().as_deref(), Some("admin"));
        assert_eq!(
            change!(db.set_role_of_member(acme.id, Uuid::nil(), "admin")).await.unwrap(),
            MemberChanged::Missing
        );
    })
    .await;
}

#[tokio::test]
async fn removing_a_member_ends_sessions_and_keys_in_the_organization() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let zoo = org(&db, "Zoo", 1).await;
        change!(db.add_member(zoo.id, ann.id, "viewer", at(0))).await.unwrap();
        let new = NewSession { user_id: ann.id, org_id: acme.id, refresh_hash: b"r", expires_at: at(100) };
        let session = change!(db.start_session(new, at(0))).await.unwrap();
        for (org_id, hash) in [(acme.id, b"a"), (zoo.id, b"z")] {
            let new = NewApiKey {
                org_id,
                user_id: ann.id,
                hash,
                prefix: "p",
                name: "k",
                expires_at: None,
                project_id: None,
                permissions: None,
            };
            change!(db.create_api_key(new, at(0))).await.unwrap();
        }
        assert_eq!(change!(db.remove_member(acme.id, ann.id, at(1))).await.unwrap(), MemberChanged::Done);
        assert_eq!(change!(db.remove_member(acme.id, ann.id, at(2))).await.unwrap(), MemberChanged::Missing);
        let seen = db.session(session.id).await.unwrap().unwrap();
        assert_eq!((seen.session.ended_at, seen.principal.role), (Some(at(1)), None));
        // Joining again does not bring the old keys back.
        change!(db.add_member(acme.id, ann.id, "owner", at(3))).await.unwrap();
        assert!(!db.api_key_by_hash(b"a").await.unwrap().unwrap().key.is_active);
        assert!(db.api_key_by_hash(b"z").await.unwrap().unwrap().key.is_active);
    })
    .await;
}

#[tokio::test]
async fn a_user_without_memberships_releases_the_name() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        change!(db.remove_member(acme.id, ann.id, at(1))).await.unwrap();
        assert_eq!(db.user_by_name("ann").await.unwrap(), None);
        let bob = user(&db, &acme, "bob").await;
        // Another user takes the name that replaced bob's, without its blank.
        user(&db, &acme, &bob.id.to_string()).await;
        let left = change!(db.remove_member(acme.id, bob.id, at(1))).await.unwrap();
        assert_eq!(left, MemberChanged::Done);
        let again = user(&db, &acme, "Ann").await;
        assert_ne!(again.id, ann.id);
        assert_eq!(db.user(ann.id).await.unwrap().unwrap().username, "ann");
    })
    .await;
}

#[tokio::test]
async fn the_last_owner_cannot_leave() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let bob = user(&db, &acme, "bob").await;
        for owner in [&ann, &bob] {
            change!(db.set_role_of_member(acme.id, owner.id, "owner")).await.unwrap();
        }
        assert_eq!(change!(db.remove_member(acme.id, ann.id, at(1))).await.unwrap(), MemberChanged::Done);
        assert_eq!(
            change!(db.remove_member(acme.id, bob.id, at(1))).await.unwrap(),
            MemberChanged::LastOwner
        );
        let demoted = change!(db.set_role_of_member(acme.id, bob.id, "admin")).await.unwrap();
        assert_eq!(demoted, MemberChanged::LastOwner);
        let changed = change!(db.set_role_of_member(acme.id, bob.id, "owner")).await.unwrap();
        assert_eq!(changed, MemberChanged::Done);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_owners_who_leave_at_once_stays() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let mut leaving = Vec::new();
        for number in 0..8 {
            let owner = user(&db, &acme, &format!("owner{number}")).await;
            change!(db.set_role_of_member(acme.id, owner.id, "owner")).await.unwrap();
            leaving.push(owner.id);
        }
        let leave = |id| {
            let db = db.clone();
            tokio::spawn(async move { change!(db.remove_member(acme.id, id, at(1))).await.unwrap() })
        };
        let mut refused = 0;
        for left in leaving.into_iter().map(leave).collect::<Vec<_>>() {
            refused += usize::from(left.await.unwrap() == MemberChanged::LastOwner);
        }
        assert_eq!(refused, 1);
        assert_eq!(db.members(acme.id, page(9)).await.unwrap().rows.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn credentials_carry_the_limits_of_their_organization() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let new = NewSession { user_id: ann.id, org_id: acme.id, refresh_hash: b"r", expires_at: at(100) };
        let session = change!(db.start_session(new, at(0))).await.unwrap();
        let seen = async || db.session(session.id).await.unwrap().unwrap().principal.limits;
        assert_eq!(seen().await, None);
        assert!(change!(db.set_limits(acme.id, Some("{}"))).await.unwrap());
        assert_eq!(seen().await.as_deref(), Some("{}"));
        assert_eq!(db.limits(acme.id).await.unwrap().as_deref(), Some("{}"));
        assert!(change!(db.set_limits(acme.id, None)).await.unwrap());
        assert_eq!(seen().await, None);
        assert!(!change!(db.set_limits(Uuid::nil(), None)).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions_and_pre_auth_tokens() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let mut ids = Vec::new();
        for hash in [b"a", b"b", b"c"] {
            let new =
                NewSession { user_id: ann.id, org_id: acme.id, refresh_hash: hash, expires_at: at(100) };
            ids.push(change!(db.start_session(new, at(0))).await.unwrap().id);
        }
        db.insert_pre_auth_token(b"interim", ann.id, at(100), at(0)).await.unwrap();
        let mut ended = change!(db.set_password_hash(ann.id, "new", Some(ids[1]), at(1))).await.unwrap();
        assert_eq!(db.user_of_pre_auth_token(b"interim", at(1)).await.unwrap(), None);
        ended.sort();
        let mut expected = vec![ids[0], ids[2]];
        expected.sort();
        assert_eq!(ended, expected);
        assert_eq!(db.user(ann.id).await.unwrap().unwrap().password_hash, "new");
    })
    .await;
}

#[tokio::test]
async fn members_are_listed_newest_first_page_by_page() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        for (second, username) in ["one", "two", "three"].into_iter().enumerate() {
            let new = NewUser { username, password_hash: "h", org_id: acme.id, role: "viewer" };
            done(change!(db.create_user(new, at(i64::try_from(second).unwrap()))).await.unwrap());
        }
        let first = db.members(acme.id, page(2)).await.unwrap();
        let second = db.members(acme.id, Page { before: first.next, limit: 2 }).await.unwrap();
        let names: Vec<_> =
            first.rows.iter().chain(&second.rows).map(|member| member.username.as_str()).collect();
        assert_eq!((names, second.next), (vec!["three", "two", "one"], None));
        let newest = first.rows[0].clone();
        assert_eq!(db.member(acme.id, newest.user_id).await.unwrap(), Some(newest));
        assert_eq!(db.member(Uuid::nil(), first.rows[0].user_id).await.unwrap(), None);
    })
    .await;
}
