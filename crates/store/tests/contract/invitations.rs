//! Invitations: accepted once, and revoked with their creator and role.

use guardengine_store::{
    Acceptance, Db, Deleted, Invitation, Invitee, MemberChanged, NewInvitation, Org, User,
};
use uuid::Uuid;

use crate::fixtures::{at, change, done, on_both, org, org_and_user, page, user};

fn new<'a>(org: &Org, creator: &User, token: &'a str, role: &'a str) -> NewInvitation<'a> {
    NewInvitation {
        org_id: org.id,
        creator_id: creator.id,
        token_hash: token.as_bytes(),
        role,
        note: Some("for carl"),
        expires_at: at(100),
    }
}

async fn invite(db: &Db, org: &Org, creator: &User, token: &str, role: &str) -> Uuid {
    change!(db.create_invitation(new(org, creator, token, role), 9, at(0))).await.unwrap().unwrap()
}

async fn seen(db: &Db, org: &Org, id: Uuid, second: i64) -> Invitation {
    db.invitation(org.id, id, at(second)).await.unwrap().unwrap()
}

const fn named(username: &str) -> Invitee<'_> {
    Invitee::New { username, password_hash: "hash" }
}

#[tokio::test]
async fn an_invitation_makes_a_member_with_its_role() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let id = invite(&db, &acme, &ann, "t", "analyst").await;
        let open = seen(&db, &acme, id, 1).await;
        assert_eq!((open.status.as_str(), open.creator.as_str(), &open.accepted_by), ("open", "ann", &None));
        assert_eq!(db.invitation_of_token(b"t", at(1)).await.unwrap(), Some(open));
        assert_eq!(db.invitation_of_token(b"other", at(1)).await.unwrap(), None);
        let accepted = change!(db.accept_invitation(b"t", named(" Carl "), at(1))).await.unwrap();
        let carl = db.user_by_name("carl").await.unwrap().unwrap();
        assert_eq!(accepted, Acceptance::Done(carl.id));
        assert_eq!(db.role_of_member(acme.id, carl.id).await.unwrap().as_deref(), Some("analyst"));
        let ended = seen(&db, &acme, id, 1).await;
        assert_eq!((ended.status.as_str(), ended.accepted_by.as_deref()), ("accepted", Some("Carl")));
        assert!(!change!(db.revoke_invitation(acme.id, id, at(2))).await.unwrap());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_who_accept_at_once_becomes_a_member() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        invite(&db, &acme, &ann, "t", "viewer").await;
        let accept = |number| {
            let db = db.clone();
            tokio::spawn(async move {
                let name = format!("user{number}");
                change!(db.accept_invitation(b"t", named(&name), at(1))).await.unwrap()
            })
        };
        let mut closed = 0;
        for accepted in (0..8).map(accept).collect::<Vec<_>>() {
            closed += usize::from(accepted.await.unwrap() == Acceptance::Closed);
        }
        assert_eq!(closed, 7);
        assert_eq!(db.members(acme.id, page(9)).await.unwrap().rows.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_refused_acceptance_leaves_the_invitation_open() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let other = org(&db, "Other", 1).await;
        let bob = user(&db, &other, "bob").await;
        let id = invite(&db, &acme, &ann, "t", "viewer").await;
        let taken = change!(db.accept_invitation(b"t", named("BOB"), at(1))).await.unwrap();
        assert_eq!(taken, Acceptance::NameTaken);
        let member = change!(db.accept_invitation(b"t", Invitee::Existing(ann.id), at(1))).await.unwrap();
        assert_eq!(member, Acceptance::AlreadyMember);
        assert_eq!(seen(&db, &acme, id, 1).await.status, "open");
        let joined = change!(db.accept_invitation(b"t", Invitee::Existing(bob.id), at(1))).await.unwrap();
        assert_eq!(joined, Acceptance::Done(bob.id));
        assert_eq!(db.orgs_of_user(bob.id).await.unwrap().len(), 2);
    })
    .await;
}

#[tokio::test]
async fn revoked_and_expired_invitations_are_closed() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let other = org(&db, "Other", 1).await;
        let revoked = invite(&db, &acme, &ann, "revoked", "viewer").await;
        let expired = invite(&db, &acme, &ann, "expired", "viewer").await;
        assert!(!change!(db.revoke_invitation(other.id, revoked, at(1))).await.unwrap());
        assert!(change!(db.revoke_invitation(acme.id, revoked, at(1))).await.unwrap());
        assert_eq!(seen(&db, &acme, revoked, 1).await.status, "revoked");
        assert_eq!(seen(&db, &acme, expired, 99).await.status, "open");
        assert_eq!(seen(&db, &acme, expired, 100).await.status, "expired");
        assert_eq!(db.invitation(other.id, expired, at(1)).await.unwrap(), None);
        for (token, second) in [("revoked", 1), ("expired", 100), ("unknown", 1)] {
            let late = change!(db.accept_invitation(token.as_bytes(), named("carl"), at(second)));
            assert_eq!(late.await.unwrap(), Acceptance::Closed, "{token}");
        }
        assert_eq!(db.user_by_name("carl").await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn invitations_end_with_their_creator_and_their_role() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let bob = user(&db, &acme, "bob").await;
        let role = done(change!(db.create_role(acme.id, "Guest", "[]", at(0))).await.unwrap());
        let of_bob = invite(&db, &acme, &bob, "bob", "viewer").await;
        let to_guest = invite(&db, &acme, &ann, "guest", "Guest").await;
        let unrelated = invite(&db, &acme, &ann, "other", "viewer").await;
        assert_eq!(change!(db.remove_member(acme.id, bob.id, at(1))).await.unwrap(), MemberChanged::Done);
        change!(db.update_role((acme.id, role.id), Some("Visitor"), None, at(1))).await.unwrap();
        assert_eq!(seen(&db, &acme, to_guest, 1).await.role, "Visitor");
        assert_eq!(change!(db.delete_role(acme.id, role.id, at(1))).await.unwrap(), Deleted::Done);
        let status = async |id| seen(&db, &acme, id, 1).await.status;
        let states = [status(of_bob).await, status(to_guest).await, status(unrelated).await];
        assert_eq!(states, ["revoked", "revoked", "open"]);
    })
    .await;
}

#[tokio::test]
async fn open_invitations_are_bounded_and_ended_ones_are_deleted() {
    on_both(async |db| {
        let (acme, ann) = org_and_user(&db).await;
        let create = async |token, second| {
            let new = NewInvitation { expires_at: at(second + 10), ..new(&acme, &ann, token, "viewer") };
            change!(db.create_invitation(new, 2, at(second))).await.unwrap()
        };
        let (first, second) = (create("1", 0).await.unwrap(), create("2", 0).await.unwrap());
        assert_eq!(create("3", 0).await, None);
        assert!(change!(db.revoke_invitation(acme.id, first, at(1))).await.unwrap());
        assert!(create("4", 1).await.is_some());
        // Expired ones do not count.
        let newest = create("5", 10).await.unwrap();
        let listed = async |status, second| {
            let found = db.invitations(acme.id, status, page(9), at(second)).await.unwrap();
            found.rows.into_iter().map(|one| one.id).collect::<Vec<_>>()
        };
        assert_eq!(listed(None, 10).await.len(), 4);
        assert_eq!(listed(Some("revoked"), 10).await, [first]);
        assert_eq!(listed(Some("expired"), 10).await, [second]);
        let paged = db.invitations(acme.id, Some("open"), page(1), at(10)).await.unwrap();
        assert_eq!((paged.rows[0].id, paged.next), (newest, Some(newest)));
        assert_eq!(db.delete_invitations_ended_before(acme.id, at(10)).await.unwrap(), 1);
        assert_eq!(db.delete_invitations_ended_before(acme.id, at(11)).await.unwrap(), 1);
        assert_eq!(listed(None, 11).await.len(), 2);
    })
    .await;
}
